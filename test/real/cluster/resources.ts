import { beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { AppliedDto } from '../../../backend/src/modules/resource-changes/apply/apply.dto.js';
import type { ReplacedResourceDto } from '../../../backend/src/modules/resource-changes/change/change.dto.js';
import type { ResourceObjectDto } from '../../../backend/src/modules/resources/common/object.dto.js';
import type { RestartedPodDto } from '../../../backend/src/modules/resource-changes/pods/pod-restart.dto.js';
import type { ResourceBlockDto } from '../../../backend/src/modules/resources/common/resource.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { run } from '../support/engines.js';
import { printed, readPrinted } from '../support/printed-table.js';
import type { ProductResponse } from '../support/product.js';
import type { RealCluster } from '../support/real-cluster.js';

const CANARY = 'canary-of-a-secret-4711';
const CANARY_FORMS = [CANARY, Buffer.from(CANARY).toString('base64')];

const container =
  '{name: main, image: "busybox:1.36", imagePullPolicy: IfNotPresent, command: [sleep, "3600"]}';
const pod = `{terminationGracePeriodSeconds: 0, containers: [${container}]}`;
/** An object before its CRD, and the content of a namespace before the namespace. */
const SHOP = `apiVersion: shop.example/v1
kind: Gadget
metadata: {name: first, namespace: shop}
spec: {size: 3}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: ${pod}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {colour: red, mode: "0644"}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
      additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`;
/** For client-side apply, which copies the whole Secret into an annotation. */
const SECRET = `apiVersion: v1
kind: Secret
metadata: {name: pass, namespace: shop}
stringData: {password: ${CANARY}}
---
apiVersion: v1
kind: Pod
metadata: {name: bare, namespace: shop}
spec: ${pod}
`;

/** Runs right after the creation, because it expects the whole journal of the cluster. */
export function testResources(cluster: RealCluster): void {
  const { name } = cluster;
  const [, worker] = cluster.nodes;
  const resources = `/clusters/${name}/resources`;

  beforeAll(async () => {
    // Pods that leave the worker need another node.
    await cluster.kubectl(
      'taint',
      'nodes',
      `${name}-control-plane`,
      'node-role.kubernetes.io/control-plane-',
    );
  });

  const kubectlApply = async (yaml: string): Promise<string> =>
    await run('sh', [
      '-c',
      'printf %s "$1" | kubectl --kubeconfig="$2" apply --filename=-',
      'sh',
      yaml,
      cluster.kubeconfigFile,
    ]);
  const apply = async (yaml: string, more: object = {}): Promise<AppliedDto> => {
    const { status, body } = await cluster.product.call<AppliedDto>('POST', `${resources}/apply`, {
      yaml,
      ...more,
    });
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  };
  const outcomes = ({ documents }: AppliedDto): string[] =>
    documents.map(({ kind, outcome, error }) => `${kind} ${outcome}${error ? `: ${error.message}` : ''}`);
  const restart = async (request: object): Promise<ProductResponse<RestartedPodDto & { code?: string }>> =>
    await cluster.product.call('POST', `/clusters/${name}/pods/restart`, { namespace: 'shop', ...request });
  const podsOf = async (selector: string, node?: string): Promise<string[]> => {
    const on = node === undefined ? [] : [`--field-selector=spec.nodeName=${node}`];
    const text = await cluster.kubectl('get', 'pods', '-n', 'shop', '-l', selector, ...on, '--output=name');
    return text.split('\n').filter((line) => line !== '');
  };
  const rolledOut = (): Promise<string> =>
    cluster.kubectl('rollout', 'status', '-n', 'shop', 'deployment/web', '--timeout=60s');

  it('applies one YAML with a CRD and its object, a namespace and its content', async () => {
    const dry = await apply(SHOP, { dry_run: true });
    expect(outcomes(dry)).toEqual([
      'Gadget created',
      'Deployment created',
      'PodDisruptionBudget created',
      'ConfigMap created',
      'CustomResourceDefinition created',
      'Namespace created',
    ]);
    expect(dry.documents[0]?.warnings.join()).toContain('is part of this request');
    expect(await cluster.kubectl('get', 'namespace', 'shop', '--ignore-not-found', '--output=name')).toBe('');
    const applied = await apply(SHOP);
    expect(outcomes(applied)).toEqual(outcomes(dry));
    expect(applied.documents.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(applied.notes).toHaveLength(1);
    expect(
      await cluster.kubectl('get', 'gadgets', '-n', 'shop', '--output=jsonpath={.items[*].spec.size}'),
    ).toBe('3');
    // The controller of the Deployment may write its annotation meanwhile.
    await waitFor(
      async () => outcomes(await apply(SHOP)).every((outcome) => outcome.endsWith('unchanged')),
      'an apply that changes nothing',
    );
    const others = await apply(SHOP.replace('replicas: 2', 'replicas: -2'), { dry_run: true });
    expect(others.documents[1]?.error?.message).toMatch(/^Document 2, line 10: .*replicas/);
    expect(others.documents.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
    await kubectlApply(SECRET);
    await rolledOut();
  });

  it('lists the same rows and columns as kubectl get', async () => {
    type Blocks = [key: string, block: ResourceBlockDto][];
    const blocksOf = async (query: string): Promise<Blocks> => {
      const path = `/clusters/${name}/overview?limit=500${query}`;
      const { body } = await cluster.product.call<Record<string, unknown>>('GET', path);
      return Object.entries(body).filter(([key]) => key.startsWith('k8s_')) as Blocks;
    };
    /** Differences by block. */
    const differing = async (blocks: Blocks): Promise<Map<string, string>> => {
      const differences = new Map<string, string>();
      const waiting = [...blocks];
      const compare = async (): Promise<void> => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const [key, block] = next;
          expect([key, block.error, block.total]).toEqual([key, null, block.rows.length]);
          const { group, version, plural } = block.type;
          const named = `${plural}.${version}.${group === 'core' ? '' : group}`;
          const own = readPrinted(await cluster.kubectl('get', named, '--all-namespaces'));
          const ours = printed(block);
          if (JSON.stringify(ours) === JSON.stringify(own)) continue;
          differences.set(key, `${JSON.stringify(ours)} and not ${JSON.stringify(own)}`);
        }
      };
      await Promise.all([compare(), compare(), compare()]);
      return differences;
    };
    const all = await blocksOf('');
    expect(all.length).toBeGreaterThan(30);
    expect(all.map(([key]) => key)).toContain('k8s_gadgets.shop.example');
    let found = await differing(all);
    // A new cluster may change between the two reads.
    await waitFor(
      async () => {
        if (found.size > 0) found = await differing(await blocksOf(`&blocks=${[...found.keys()].join(',')}`));
        return found.size === 0;
      },
      () => `The same as kubectl, last: ${JSON.stringify([...found]).slice(0, 4000)}`,
      60_000,
    );
  });

  it('edits an object after a diff, and rejects a concurrent change with resource_conflict', async () => {
    const path = `${resources}/core/v1/configmaps/settings?namespace=shop`;
    const { yaml } = (await cluster.product.call<ResourceObjectDto>('GET', path)).body;
    expect(parse(yaml)).toMatchObject({ data: { colour: 'red', mode: '0644' } });
    const edited = yaml.replace('colour: red', 'colour: blue');
    const dry = await cluster.product.call<ReplacedResourceDto>('PUT', `${path}&dry_run=true`, {
      yaml: edited,
    });
    expect(dry.body).toMatchObject({ outcome: 'configured', dry_run: true });
    const lines = (text: string): string[] => text.split('\n');
    expect(lines(dry.body.before).filter((line) => !lines(dry.body.after).includes(line))).toEqual([
      '  colour: red',
    ]);
    expect(lines(dry.body.after).filter((line) => !lines(dry.body.before).includes(line))).toEqual([
      '  colour: blue',
    ]);
    const colour = ['get', 'configmap', 'settings', '-n', 'shop', '--output=jsonpath={.data.colour}'];
    expect(await cluster.kubectl(...colour)).toBe('red');
    expect((await cluster.product.call('PUT', path, { yaml: edited })).status).toBe(200);
    expect(await cluster.kubectl(...colour)).toBe('blue');
    const late = await cluster.product.call<{ code: string; details: { yaml: string } }>('PUT', path, {
      yaml: yaml.replace('colour: red', 'colour: green'),
    });
    expect([late.status, late.body.code]).toEqual([409, 'resource_conflict']);
    expect(parse(late.body.details.yaml)).toMatchObject({ data: { colour: 'blue' } });
    expect(await cluster.kubectl(...colour)).toBe('blue');
  });

  it('returns values of a Secret only in the response of /reveal', async () => {
    const path = `${resources}/core/v1/secrets/pass`;
    const { yaml } = (await cluster.product.call<ResourceObjectDto>('GET', `${path}?namespace=shop`)).body;
    const edited = await cluster.product.call<ReplacedResourceDto>('PUT', `${path}?namespace=shop`, {
      yaml: `${yaml.trimEnd()}\nstringData:\n  another: value\n`,
    });
    expect(edited.body).toMatchObject({ outcome: 'configured' });
    const stored = ['get', 'secret', 'pass', '-n', 'shop', '--output=jsonpath={.data.password}'];
    expect(await cluster.kubectl(...stored)).toBe(CANARY_FORMS[1]);
    const responses = await Promise.all(
      [
        `/clusters/${name}/overview?limit=500`,
        `${resources}/core/v1/secrets?limit=500`,
        `${path}?namespace=shop`,
        `${path}/events?namespace=shop`,
        '/journal/recent?limit=200',
      ].map(async (each) => JSON.stringify((await cluster.product.call('GET', each)).body)),
    );
    const everything = [...responses, JSON.stringify(edited.body), cluster.product.log].join('\n');
    expect(everything).toContain('shop');
    for (const form of CANARY_FORMS) expect(everything).not.toContain(form);
    const revealed = await cluster.product.call('POST', `${path}/reveal?namespace=shop`, { key: 'password' });
    expect(revealed.body).toEqual({ key: 'password', value: CANARY, encoding: 'text' });
  });

  it('restarts Pods, and rejects Pods without a controller with pod_unowned', async () => {
    const before = await podsOf('app=web');
    const web = before[0]?.replace('pod/', '') ?? '';
    const { body } = await restart({ name: web });
    expect(body).toMatchObject({
      deleted: true,
      comes_back: true,
      owner: { kind: 'ReplicaSet', owner: { kind: 'Deployment', name: 'web' } },
    });
    const after = await podsOf('app=web');
    expect(after).toContain(`pod/${body.replacement ?? ''}`);
    expect(after).not.toContain(`pod/${web}`);
    expect((await restart({ name: 'bare' })).body).toMatchObject({ code: 'pod_unowned' });
    expect(
      (await restart({ namespace: 'kube-system', name: `etcd-${name}-control-plane` })).body,
    ).toMatchObject({
      deleted: false,
      owner: { kind: 'Node' },
    });
    await rolledOut();
  });

  it('scales and restarts a Deployment', async () => {
    const web = `${resources}/apps/v1/deployments/web`;
    const scaled = await cluster.product.call('POST', `${web}/scale?namespace=shop`, { replicas: 3 });
    expect(scaled.body).toMatchObject({ previous_replicas: 2, replicas: 3 });
    const before = await podsOf('app=web');
    expect((await cluster.product.call('POST', `${web}/restart?namespace=shop`)).status).toBe(200);
    await rolledOut();
    const after = await podsOf('app=web');
    expect(after.filter((each) => before.includes(each))).toEqual([]);
  });

  it('drains a node as the PodDisruptionBudget allows', async () => {
    const node = `${resources}/core/v1/nodes/${worker}`;
    // The worker runs all of them, and the budget allows one eviction at a time.
    await cluster.product.call('POST', `${resources}/core/v1/nodes/${name}-control-plane/cordon`);
    await cluster.kubectl('delete', 'pods', '-n', 'shop', '-l', 'app=web', '--wait=false');
    await cluster.kubectl('scale', '-n', 'shop', 'deployment/web', '--replicas=2');
    await rolledOut();
    await waitFor(
      async () => (await podsOf('app=web', worker)).length === 2,
      'two pods on the worker',
      30_000,
    );
    await cluster.kubectl('uncordon', `${name}-control-plane`);
    const refused = await cluster.product.call<{ code: string; details: unknown }>(
      'POST',
      `${node}/drain`,
      {},
    );
    expect(refused.body).toMatchObject({ code: 'confirmation_required', details: { bare: ['shop/bare'] } });
    const accepted = await cluster.product.call<{ job_id: number }>('POST', `${node}/drain`, {
      force: true,
      delete_emptydir_data: true,
      timeout_seconds: 90,
    });
    expect(accepted.status).toBe(202);
    const job = await cluster.product.ended(accepted.body.job_id);
    expect([job.state, job.error]).toEqual(['succeeded', null]);
    expect(job.progress_log.map(({ text }) => text).join('\n')).toMatch(/shop\/web-\S+ is blocked: .*budget/);
    expect(await podsOf('app=web', worker)).toEqual([]);
    expect(await podsOf('app=web')).toHaveLength(2);
    const cordoned = ['get', 'node', worker, '--output=jsonpath={.spec.unschedulable}'];
    expect(await cluster.kubectl(...cordoned)).toBe('true');
    expect((await cluster.product.call('POST', `${node}/uncordon`)).status).toBe(200);
    expect(await cluster.kubectl(...cordoned)).toBe('');
  });

  it('deletes objects, and reports finalizers that delay a deletion', async () => {
    const path = `${resources}/core/v1/configmaps/settings?namespace=shop`;
    expect((await cluster.product.call('DELETE', path)).body).toMatchObject({ gone: true });
    const shop = await cluster.product.call<{ message: string }>(
      'DELETE',
      `${resources}/core/v1/namespaces/shop`,
    );
    expect(shop.body).toMatchObject({ gone: false });
    expect(shop.body.message).toContain('Deletion requested.');
    const { body } = await cluster.product.call<{ entries: { kind: string; outcome: string }[] }>(
      'GET',
      `/journal/recent?limit=200&cluster=${name}`,
    );
    expect([...new Set(body.entries.map(({ kind, outcome }) => `${kind} ${outcome}`))].sort()).toEqual([
      'create succeeded',
      'drain succeeded',
      'kubeconfig-download succeeded',
      'node-cordon succeeded',
      'node-uncordon succeeded',
      'pod-restart succeeded',
      'resource-apply succeeded',
      'resource-delete succeeded',
      'resource-edit failed',
      'resource-edit succeeded',
      'resource-restart succeeded',
      'resource-scale succeeded',
      'secret-reveal succeeded',
    ]);
  });
}
