import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../backend/src/core/errors/domain-error.js';
import { ExternalError } from '../../backend/src/core/errors/external-error.js';
import {
  droppedValues,
  jsonValue,
  list,
  parseJson,
  type Reader,
} from '../../backend/src/core/parsing/index.js';
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
import { entryOf } from '../../backend/src/drivers/log-store/victorialogs/line-format.js';
import { fieldsOf } from '../../backend/src/core/lines/index.js';
import {
  chartsIn,
  contentsIn,
  releasesIn,
  revisionsIn,
} from '../../backend/src/drivers/package-manager/helm/helm-responses.js';
import { toClusterContainer } from '../../backend/src/drivers/runtime/engine/cluster-objects.js';
import { toNodeEvent } from '../../backend/src/drivers/runtime/engine/engine-events.js';
import * as engine from '../../backend/src/drivers/runtime/engine/engine-responses.js';
import { toNodeContainer } from '../../backend/src/drivers/runtime/engine/node-container.js';
import { toNodeSample } from '../../backend/src/drivers/runtime/engine/node-sample.js';
import { toNodeSettings } from '../../backend/src/drivers/runtime/engine/node-settings.js';
import { PullTracker } from '../../backend/src/drivers/runtime/engine/pull-tracker.js';
import { choosePort } from '../../backend/src/modules/expose/exposed-ports.js';
import { chooseIngress } from '../../backend/src/modules/expose/exposed-ingress.js';
import { chooseService, selectorOf } from '../../backend/src/modules/expose/exposed-service.js';
import { declaredPorts } from '../../backend/src/modules/forwards/target/port-choice.js';
import { podIdentity } from '../../backend/src/modules/log-sources/source-identity.js';
import { JournalLines } from '../../backend/src/modules/log-sources/reading/journal-lines.js';
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
import { readTranscript } from '../transcripts/transcript.js';
import * as answers from './answers.js';
import { mutationsOf, violationIn } from './mutations.js';

const NOW = Date.parse('2026-11-21T09:05:00Z');
/** Of one answer, on a busy machine: a quadratic reader needs minutes for 1 MB. */
const MAX_MS = 2000;

interface Feed {
  what: string;
  answer: unknown;
  /** Reads the answer and renders what Slipway makes of it. */
  read: (text: string) => unknown;
}

/** Feeds every mutation, and expects a typed result, or an error that says what is wrong. */
async function fuzz({ answer, read }: Feed): Promise<number> {
  let tried = 0;
  for (const { what, text } of mutationsOf(answer)) {
    const began = performance.now();
    let result: unknown;
    try {
      result = await read(text);
    } catch (error) {
      if (!isExpected(error)) throw new Error(`${what}: ${String((error as Error).stack)}`, { cause: error });
    }
    const violation = violationIn(result);
    if (violation !== undefined) throw new Error(`${what}: ${violation}`);
    const took = performance.now() - began;
    if (took > MAX_MS) throw new Error(`${what}: took ${Math.round(took)} ms`);
    tried += 1;
  }
  return tried;
}

/** Not an error of the language, which means that something was used as what it is not. */
function isExpected(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof ExternalError) return true;
  return error instanceof Error && error.constructor.name === 'Error';
}

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

/** The first recorded response of a request of an engine. */
function recorded(name: 'docker' | 'podman', request: RegExp): unknown {
  const found = readTranscript(name).exchanges.find(
    ({ request: asked, body }) =>
      request.test(asked) && typeof body === 'object' && JSON.stringify(body) !== '[]',
  );
  if (!found) throw new Error(`${name} has no recorded response to ${String(request)}`);
  return Array.isArray(found.body) ? found.body.slice(0, 2) : found.body;
}

function read<TValue>(reader: Reader<TValue>, text: string, use: (value: TValue) => unknown): unknown {
  const value = reader(jsonValue(text));
  return value === undefined ? undefined : [value, use(value)];
}

const SUMMARY = { Id: 'a'.repeat(64) };

const ENGINES: readonly Feed[] = (['docker', 'podman'] as const).flatMap((name): Feed[] => [
  {
    what: `containers of ${name}`,
    answer: recorded(name, /^GET \/containers\/json/),
    read: (text) =>
      read(list(engine.containerSummary), text, (all) =>
        all.map((each) => [toNodeContainer(each, {}), toClusterContainer(each)]),
      ),
  },
  {
    what: `an inspected container of ${name}`,
    answer: recorded(name, /^GET \/containers\/\S+\/json/),
    read: (text) =>
      read(engine.inspectedContainer, text, (found) => [
        toNodeSettings(SUMMARY, found),
        toNodeContainer(SUMMARY, found.State),
      ]),
  },
  {
    what: `info of ${name}`,
    answer: recorded(name, /^GET \/info/),
    read: (text) => read(engine.engineInfo, text, () => undefined),
  },
  {
    what: `the version of ${name}`,
    answer: recorded(name, /^GET \/version/),
    read: (text) => read(engine.engineVersion, text, () => undefined),
  },
  {
    what: `images of ${name}`,
    answer: recorded(name, /^GET \/images\/json/),
    read: (text) => read(list(engine.imageSummary), text, () => undefined),
  },
]);

const OTHERS: readonly Feed[] = [
  {
    what: 'statistics',
    answer: answers.STATS,
    read: (text) => {
      const stats = engine.containerStats(jsonValue(text));
      return stats && toNodeSample('a', stats, 2 ** 34);
    },
  },
  {
    what: 'an event of an engine',
    answer: answers.ENGINE_EVENT,
    read: (text) => read(engine.engineEventMessage, text, toNodeEvent),
  },
  {
    what: 'a message of a pull',
    answer: answers.PULL,
    read: (text) => read(engine.pullMessage, text, (message) => new PullTracker().update(message)),
  },
  { what: 'releases of helm', answer: answers.RELEASES, read: releasesIn },
  { what: 'revisions of helm', answer: answers.REVISIONS, read: revisionsIn },
  // Values and manifests are the user's own, and shown whole.
  { what: 'a release of helm', answer: answers.RELEASE, read: (text) => contentsIn(text).notes.length },
  { what: 'charts of helm', answer: answers.CHARTS, read: chartsIn },
  {
    what: 'a row of VictoriaLogs',
    answer: answers.LOG_ROW,
    read: (text) => {
      const row = jsonValue(text);
      return typeof row === 'object' && row !== null && !Array.isArray(row)
        ? entryOf(row).line.seq
        : undefined;
    },
  },
  {
    what: 'an entry of a journal',
    answer: answers.JOURNAL_ENTRY,
    read: (text) =>
      new JournalLines().take([text]).map(({ service, line: { time, level } }) => [service, time, level]),
  },
  {
    what: 'a log line in JSON',
    answer: answers.LOG_ROW,
    read: (text) => fieldsOf(text).pairs.length,
  },
];

describe.each([...CLUSTER, ...ENGINES, ...OTHERS])('$what', (feed) => {
  it('is read into its types whatever one value becomes', async () => {
    const before = droppedValues();
    expect(violationIn(await feed.read(JSON.stringify(feed.answer)))).toBeUndefined();
    expect(await fuzz(feed)).toBeGreaterThan(20);
    expect(droppedValues()).toBeGreaterThanOrEqual(before);
    expect('polluted' in {}).toBe(false);
  });
});
