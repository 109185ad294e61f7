import { jsonValue, parseJson } from '../../backend/src/core/parsing/index.js';
import { Discovery } from '../../backend/src/drivers/kubernetes/discovery.js';
import { responseError, statusOf } from '../../backend/src/drivers/kubernetes/api-status.js';
import type {
  ApiConnection,
  KubernetesObject,
  ResourceType,
} from '../../backend/src/drivers/kubernetes/index.js';
import { toLoggedPod } from '../../backend/src/drivers/kubernetes/logged-pod.js';
import { kubernetesObject, objectPage } from '../../backend/src/drivers/kubernetes/object-fields.js';
import { healthOf } from '../../backend/src/drivers/kubernetes/object-health.js';
import { hashOf } from '../../backend/src/drivers/kubernetes/openapi-index.js';
import { readUsage } from '../../backend/src/drivers/kubernetes/resource-usage.js';
import { eventRow, tableOf } from '../../backend/src/drivers/kubernetes/table-response.js';
import { choosePort } from '../../backend/src/modules/expose/exposed-ports.js';
import { chooseIngress } from '../../backend/src/modules/expose/exposed-ingress.js';
import { chooseService, selectorOf } from '../../backend/src/modules/expose/exposed-service.js';
import { declaredPorts } from '../../backend/src/modules/forwards/target/port-choice.js';
import { podIdentity } from '../../backend/src/modules/log-sources/source-identity.js';
import { actionsOf } from '../../backend/src/modules/resources/object/actions.js';
import {
  deletionWarnings,
  rolloutWarnings,
} from '../../backend/src/modules/resource-changes/change/change-warnings.js';
import { findCauses, isHealthy } from '../../backend/src/modules/diagnosis/explain.js';
import { factsOf } from '../../backend/src/modules/diagnosis/facts.js';
import { sortPods } from '../../backend/src/modules/resource-changes/drain/drain-plan.js';
import {
  effectOfDeletion,
  effectOfRestart,
} from '../../backend/src/modules/resource-changes/effects/effect-of.js';
import { diffObjects } from '../../backend/src/modules/resources/manifests/diff.js';
import { manifestWithoutSecrets } from '../../backend/src/modules/resources/manifests/print-manifest.js';
import { blockOf, fromStore, summaryOf } from '../../backend/src/modules/resources/overview/blocks.js';
import { overviewKinds } from '../../backend/src/modules/resources/overview/built-in-kinds.js';
import { claimsOf } from '../../backend/src/modules/resources/object/claims-of.js';
import { revisionsOf } from '../../backend/src/modules/resources/object/revisions.js';
import { reduceSchema } from '../../backend/src/modules/resources/schemas/reduce-schema.js';
import { RowFormat } from '../../backend/src/modules/resources/watch/printed-row.js';
import { TableFeed } from '../../backend/src/modules/resources/watch/table-feed.js';
import { TableStore } from '../../backend/src/modules/resources/watch/table-store.js';
import * as answers from './answers.js';
import { describeFeeds, type Feed } from './feeds.js';

const NOW = Date.parse('2026-11-21T09:05:00Z');

function type(group: string, plural: string, kind: string): ResourceType {
  return {
    group,
    version: 'v1',
    plural,
    kind,
    namespaced: true,
    verbs: ['list', 'watch'],
    shortNames: [],
    custom: false,
  };
}

const PODS = type('', 'pods', 'Pod');
const EVENTS = type('', 'events', 'Event');
const DEPLOYMENTS = type('apps', 'deployments', 'Deployment');

function objectIn(text: string): KubernetesObject | undefined {
  return kubernetesObject(parseJson(text));
}

/** Everything that is derived from a single object, and that leaves the server as a typed response. */
function derived(object: KubernetesObject, of: ResourceType): unknown {
  const reference = { ...of, namespace: object.metadata.namespace ?? null, name: object.metadata.name };
  const facts = factsOf(object, [object], NOW, [factsOf(object, [], NOW)]);
  const kinds = [
    'Pod',
    'Deployment',
    'DaemonSet',
    'Job',
    'Service',
    'PersistentVolumeClaim',
    'Node',
    'APIService',
  ];
  return [
    isHealthy(facts),
    kinds.map((kind) => {
      const of = { ...facts, object: { ...object, kind } };
      return [findCauses(of), healthOf(of), isHealthy(of)];
    }),
    actionsOf(of, object),
    deletionWarnings(of, reference, object),
    rolloutWarnings(object),
    effectOfDeletion(of, reference, object, { volume: object }),
    effectOfRestart(of, object, {}),
    claimsOf(object),
    sortPods([object], new Set()),
    declaredPorts('deployments', object),
    declaredPorts('pods', object),
    revisionsOf(object, [{ ...object, kind: 'ReplicaSet' }]).map(({ number, name, pods }) => [
      number,
      name,
      pods,
    ]),
  ];
}

/** The whole object is shown as it is, without errors. */
function shown(object: KubernetesObject): void {
  manifestWithoutSecrets(object);
  manifestWithoutSecrets({ ...object, kind: 'Secret', apiVersion: 'v1' });
  diffObjects(object, object);
}

function table(text: string, of: ResourceType): unknown {
  const { rows, columns, ...page } = tableOf(text);
  const format = new RowFormat(of, columns);
  const store = new TableStore();
  const feed = new TableFeed(store);
  store.replace(
    format,
    rows.map((row) => format.print(row, NOW)),
  );
  store.apply(
    rows.map((row) => ({ type: 'upsert' as const, row })),
    NOW + 60_000,
  );
  const block = fromStore(store);
  const event = eventRow(parseJson(text));
  return [
    page,
    event,
    rows.map((row) => format.present(format.print(row, NOW), NOW + 60_000, null)),
    block && [
      blockOf(block, 5, null),
      summaryOf(new Map([['k8s_nodes', block]]), { version: null, metrics: false }),
    ],
    feed.next(),
  ];
}

function discoveryWith(bodies: Readonly<Record<string, string>>): Promise<unknown> {
  const connection = {
    send: ({ path }: { path: string }) => Promise.resolve({ status: 200, text: bodies[path] ?? '{}' }),
  } as unknown as ApiConnection;
  const discovery = new Discovery(connection, () => new Error('not expected'));
  return discovery.types().then((types) => [types, overviewKinds(types)]);
}

const CLUSTER: readonly Feed[] = [
  {
    what: 'a list of Pods',
    answer: { kind: 'PodList', metadata: { resourceVersion: '42', continue: 'token' }, items: [answers.POD] },
    read: (text) => {
      const pods = objectPage(parseJson(text)).objects.map(toLoggedPod);
      const sources = pods.map((pod) =>
        pod.containers.map((container) =>
          podIdentity({ runtime: 'docker', cluster: 'shop' }, pod, container, 1),
        ),
      );
      return [pods, sources, JSON.stringify(sources).length];
    },
  },
  ...[
    { what: 'a Pod', answer: answers.POD, of: PODS },
    { what: 'a workload', answer: answers.WORKLOAD, of: DEPLOYMENTS },
    { what: 'a Service', answer: answers.SERVICE, of: type('', 'services', 'Service') },
  ].map(({ what, answer, of }) => ({
    what,
    answer,
    read: (text: string) => {
      const object = objectIn(text);
      if (!object) return undefined;
      // Printing YAML takes most of the time.
      if (text.length % 20 === 0 && text.length < 100_000) shown(object);
      return derived(object, of);
    },
  })),
  {
    what: 'an event',
    answer: answers.EVENT,
    read: (text) => {
      const event = objectIn(text);
      const pod = kubernetesObject(answers.POD);
      return event && pod && findCauses(factsOf(pod, [event], NOW));
    },
  },
  {
    what: 'a Service and an Ingress to expose',
    answer: answers.SERVICE,
    read: (text) => {
      const object = objectIn(text);
      if (!object) return undefined;
      const port = choosePort('pods', { ...object, spec: answers.POD.spec }, { port: 'http', what: 'it' });
      const target = { selector: { app: 'web' }, port, servicePort: undefined };
      const service = { number: 80, name: null };
      return [
        chooseService([object], target, { wanted: undefined, object: 'web' }).port,
        selectorOf('pods', object, 'it'),
        chooseIngress(
          [object],
          { namespace: 'shop', service: 'web', port: service, className: 'nginx' },
          undefined,
        )?.host,
      ];
    },
  },
  { what: 'a table of Pods', answer: answers.POD_TABLE, read: (text) => table(text, PODS) },
  { what: 'a table of events', answer: answers.EVENT_TABLE, read: (text) => table(text, EVENTS) },
  {
    what: 'a list instead of a table',
    answer: answers.OBJECT_LIST,
    read: (text) => table(text, DEPLOYMENTS),
  },
  {
    what: 'aggregated discovery',
    answer: answers.DISCOVERY,
    read: (text) => discoveryWith({ '/api': text, '/apis': text }),
  },
  {
    what: 'discovery by group',
    answer: { groups: answers.GROUPS, resources: answers.RESOURCES },
    read: (text) => {
      const both = jsonValue(text) as { groups?: unknown; resources?: unknown } | null;
      const groups = JSON.stringify(both?.groups ?? null);
      const resources = JSON.stringify(both?.resources ?? null);
      return discoveryWith({
        '/api': groups,
        '/apis': groups,
        '/api/v1': resources,
        '/apis/apps/v1': resources,
      });
    },
  },
  { what: 'the index of OpenAPI', answer: answers.OPENAPI_INDEX, read: (text) => hashOf(text, DEPLOYMENTS) },
  {
    what: 'a document of OpenAPI',
    answer: answers.OPENAPI,
    read: (text) => reduceSchema(text, { group: 'apps', version: 'v1', kind: 'Deployment' })?.length,
  },
  {
    what: 'metrics',
    answer: answers.POD_METRICS,
    read: (text) => readUsage(() => Promise.resolve({ status: 200, text })),
  },
  {
    what: 'a rejected request',
    answer: answers.STATUS,
    read: (text) =>
      [400, 403, 404, 409, 422, 429, 500].map((status) => {
        const context = { cluster: 'shop', type: DEPLOYMENTS, name: 'web' };
        const secret = { ...context, type: type('', 'secrets', 'Secret') };
        return [
          statusOf({ status, text }),
          responseError({ status, text }, context).message,
          responseError({ status, text }, secret).details,
        ];
      }),
  },
];

describeFeeds(CLUSTER);
