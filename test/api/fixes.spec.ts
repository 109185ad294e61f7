import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DiagnosisDto, FixDto } from '../../backend/src/modules/diagnosis/diagnosis.dto.js';
import type { JournalPageDto } from '../../backend/src/modules/journal/journal.dto.js';
import type { FixedDto } from '../../backend/src/modules/resource-changes/fix/fix.dto.js';
import type { RolloutDto } from '../../backend/src/modules/resource-changes/rollout/rollout.dto.js';
import type { ResourceObjectDto } from '../../backend/src/modules/resources/common/object.dto.js';
import { ClusterResources } from '../../backend/src/modules/resources/index.js';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import { createCluster } from '../support/app/clusters.js';
import { withChangedResponses } from '../support/kubernetes/changed-responses.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const workload = (name: string, container: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers: [{ name: main, ${container} }]
${more}`;

interface Item {
  metadata: { name: string; deletionTimestamp?: string };
  status: Record<string, unknown>;
}

describe('POST :group/:version/:plural/:object/fix', () => {
  let app: TestApp;
  const resources = '/api/v1/clusters/repair/resources';
  const deployment = (name: string): string => `${resources}/apps/v1/deployments/${name}`;
  const apply = async (yaml: string): Promise<void> => {
    await app.client.send('POST', `${resources}/apply`, { body: { yaml } });
  };
  /** Waits for the cause, and returns its fix. */
  const offered = async (path: string, cause: string, code: string): Promise<FixDto | undefined> => {
    const { causes } = await app.client.until<DiagnosisDto>(`${path}/diagnosis?namespace=shop`, (found) =>
      found.causes.some((each) => each.code === cause),
    );
    return causes.flatMap(({ fixes }) => fixes).find((fix) => fix.code === code);
  };
  const fix = async (path: string, body: object): Promise<{ status: number; body: FixedDto }> =>
    (await app.client.send('POST', `${path}/fix?namespace=shop`, { body })) as {
      status: number;
      body: FixedDto;
    };
  const versionOf = async (path: string): Promise<string> => {
    const { yaml } = await app.client.get<ResourceObjectDto>(`${path}?namespace=shop`);
    return /resourceVersion: "?(\d+)/.exec(yaml)?.[1] ?? '';
  };
  const healthy = async (path: string): Promise<void> => {
    await app.client.until<DiagnosisDto>(
      `${path}/diagnosis?namespace=shop`,
      (found) => found.healthy && found.causes.length === 0,
    );
  };

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'repair', { workers: 1 });
  });

  afterAll(() => app.stop());

  it('raises the memory limit of a container that exceeds it, after a dry run that changes nothing', async () => {
    const path = deployment('hungry');
    await apply(
      workload(
        'hungry',
        "image: 'stress:1', command: [stress, --vm-bytes, 100M], resources: { limits: { memory: 64Mi } }",
      ),
    );
    expect(await offered(path, 'out_of_memory', 'raise_memory_limit')).toEqual({
      code: 'raise_memory_limit',
      label: 'Raise memory limit',
      changes: 'resources.limits.memory of container main in Deployment shop/hungry',
      parameters: [
        {
          name: 'memory',
          label: 'Memory limit (currently 64Mi)',
          default: '128Mi',
          choices: [],
          only_choices: false,
          secret: false,
        },
      ],
    });
    const before = await versionOf(path);
    const preview = await fix(path, { fix: 'raise_memory_limit', dry_run: true });
    expect([preview.status, preview.body]).toMatchObject([
      200,
      { outcome: 'configured', object: { kind: 'Deployment', name: 'hungry' }, dry_run: true, job: null },
    ]);
    expect([preview.body.before, preview.body.after]).toEqual([
      expect.stringContaining('memory: 64Mi'),
      expect.stringContaining('memory: 128Mi'),
    ]);
    expect(await versionOf(path)).toBe(before);
    const { status, body } = await fix(path, {
      fix: 'raise_memory_limit',
      container: 'main',
      parameters: { memory: '256Mi' },
    });
    expect([status, body.message]).toEqual([
      200,
      'Set the memory limit of container main to 256Mi. A rollout replaces the Pods.',
    ]);
    await healthy(path);
    expect(await fix(path, { fix: 'raise_memory_limit' })).toMatchObject({
      status: 409,
      body: { code: 'resource_conflict', message: expect.stringContaining('no longer possible') },
    });
    await app.client.until<JournalPageDto>('/api/v1/journal/recent?cluster=repair', ({ entries }) =>
      entries.some(
        ({ message }) =>
          message === 'Fixed deployment shop/hungry: Set the memory limit of container main to 256Mi.',
      ),
    );
  });

  it('rejects unknown and invalid parameters', async () => {
    const path = deployment('glutton');
    await apply(
      workload(
        'glutton',
        "image: 'stress:1', command: [stress, --vm-bytes, 100M], resources: { limits: { memory: 64Mi } }",
      ),
    );
    await offered(path, 'out_of_memory', 'raise_memory_limit');
    const { status, body } = await fix(path, {
      fix: 'raise_memory_limit',
      parameters: { memory: 'much', cpu: '1' },
    });
    expect([status, body.message]).toEqual([
      400,
      'The request is invalid: parameters.memory must be an amount, such as 128Mi; parameters.cpu is unknown. Known: memory.',
    ]);
  });

  interface Case {
    path: string;
    cause: string;
    code: string;
    parameters?: Record<string, string>;
  }

  /** Shows the diff, checks that nothing has changed, and applies the fix. */
  const repair = async ({ path, cause, code, parameters }: Case): Promise<[FixedDto, FixedDto]> => {
    expect(await offered(path, cause, code)).toMatchObject({ code });
    const { body: preview } = await fix(path, { fix: code, parameters, dry_run: true });
    const { plural, name } = preview.object ?? {};
    const group = plural === 'deployments' ? 'apps' : 'core';
    const object = `${resources}/${group}/v1/${plural}/${name}`;
    const { status, body: now } = await app.client.send('GET', `${object}?namespace=shop`);
    expect(status).toBe(preview.before === null ? 404 : 200);
    if (preview.before !== null) {
      const { body: same } = await fix(path, { fix: code, parameters, dry_run: true });
      expect([same.before, now]).toEqual([
        preview.before,
        expect.objectContaining({ name: preview.object?.name }),
      ]);
    }
    const { body: done } = await fix(path, { fix: code, parameters });
    expect([preview.dry_run, done.dry_run]).toEqual([true, false]);
    return [preview, done];
  };
  const whilePodsAre = async (change: (pod: Item) => void, run: () => Promise<void>): Promise<void> => {
    const server = app.nest.get(DemoWorld).apiServer('repair');
    await withChangedResponses(
      server,
      /\/pods(\?|\/|$)/,
      (body) => {
        const { items = [body as Item] } = body as { items?: Item[] };
        for (const item of items) change(item);
      },
      run,
    );
  };

  it('sets an image that the nodes or the engine have, and rolls back to a revision that was ready', async () => {
    const path = deployment('badly');
    await apply(workload('badly', "image: 'shop/web:1.4.0'"));
    await healthy(path);
    await apply(workload('badly', "image: 'registry.shop.invalid/web:2'"));
    const image = await offered(path, 'image_pull', 'set_image');
    expect(image?.parameters[0]).toMatchObject({ name: 'image', default: expect.stringMatching(/web:/) });
    const [preview] = await repair({
      ...{ path, cause: 'image_pull', code: 'set_image' },
      parameters: { image: 'shop/web:1.4.1' },
    });
    expect(preview.after).toContain('image: shop/web:1.4.1');
    await healthy(path);
    await apply(workload('badly', "image: 'registry.shop.invalid/web:3'"));
    const [, done] = await repair({ path, cause: 'image_pull', code: 'roll_back' });
    expect(done.message).toMatch(/Rolled back to revision 3, now revision \d+\./);
    await healthy(path);
    const { revisions } = await app.client.get<RolloutDto>(`${path}/rollout?namespace=shop`);
    expect(revisions.map(({ revision, ready }) => [revision, ready])).toEqual([
      [5, true],
      [4, false],
      [2, null],
      [1, null],
    ]);
  });

  it('removes a node selector that no node matches, and tolerates a taint', async () => {
    const lost = deployment('lost');
    await apply(workload('lost', "image: 'web:1'", '      nodeSelector: { disk: ssd }'));
    const [preview] = await repair({
      path: lost,
      cause: 'scheduling_constraint',
      code: 'remove_node_selector',
    });
    expect([preview.before, preview.after]).toEqual([
      expect.stringContaining('disk: ssd'),
      expect.not.stringContaining('disk: ssd'),
    ]);
    await healthy(lost);
    const shy = deployment('shy');
    await apply(
      workload('shy', "image: 'web:1'", "      nodeSelector: { node-role.kubernetes.io/control-plane: '' }"),
    );
    const [, done] = await repair({ path: shy, cause: 'scheduling_constraint', code: 'add_toleration' });
    expect(done.message).toContain('node-role.kubernetes.io/control-plane:NoSchedule');
    await healthy(shy);
  });

  it('corrects the selector and the port of a Service', async () => {
    await apply(workload('till', "image: 'web:1', ports: [{ name: http, containerPort: 8080 }]"));
    await healthy(deployment('till'));
    const path = `${resources}/core/v1/services/till`;
    await apply(
      'apiVersion: v1\nkind: Service\nmetadata: { name: till, namespace: shop }\nspec: { selector: { app: tell }, ports: [{ port: 80, targetPort: htp }] }\n',
    );
    const [selector] = await repair({ path, cause: 'no_endpoints', code: 'set_selector' });
    expect(selector.after).toContain('app: till');
    const [port] = await repair({ path, cause: 'no_endpoints', code: 'set_target_port' });
    expect(port.after).toContain('targetPort: http');
    await healthy(path);
  });

  it.each([
    ['ConfigMap', 'config_map_missing', 'create_config_map', 'colour: red'],
    ['Secret', 'secret_missing', 'create_secret', 'colour: <hidden>'],
  ])('creates a missing %s with the keys that a Pod refers to', async (kind, cause, code, data) => {
    const name = `needs-${kind.toLowerCase()}`;
    const reference = `${kind === 'Secret' ? 'secret' : 'configMap'}KeyRef: { name: ${name}, key: colour }`;
    const env = `env: [{ name: COLOUR, valueFrom: { ${reference} } }]`;
    await apply(workload(name, `image: 'web:1', ${env}`));
    const waitingPod = ({ metadata, status }: Item): void => {
      if (!metadata.name.startsWith(name)) return;
      const message = `${kind.toLowerCase()} "${name}" not found`;
      const waiting = { reason: 'CreateContainerConfigError', message };
      status['phase'] = 'Pending';
      status['conditions'] = [];
      status['containerStatuses'] = [{ name: 'main', restartCount: 0, ready: false, state: { waiting } }];
    };
    await whilePodsAre(waitingPod, async () => {
      const [preview, done] = await repair({
        ...{ path: deployment(name), cause, code },
        parameters: { colour: 'red' },
      });
      expect([preview.before, preview.after]).toEqual([null, expect.stringContaining(data)]);
      expect([done.outcome, done.object?.kind]).toEqual(['created', kind]);
      expect((await fix(deployment(name), { fix: code })).status).toBe(409);
    });
  });

  it('lowers a request that no node can fulfill', async () => {
    const path = deployment('greedy');
    await apply(workload('greedy', "image: 'web:1', resources: { requests: { memory: 4000Gi } }"));
    const refused = ({ metadata, status }: Item): void => {
      if (!metadata.name.startsWith('greedy')) return;
      const message = '0/2 nodes are available: 2 Insufficient memory.';
      status['phase'] = 'Pending';
      status['conditions'] = [{ type: 'PodScheduled', status: 'False', message }];
    };
    await whilePodsAre(refused, async () => {
      const [preview] = await repair({ path, cause: 'insufficient_resources', code: 'lower_request' });
      expect(preview.after).toMatch(/memory: \d+(\.\d+)?[GM]i/);
      expect(preview.after).not.toContain('4000Gi');
    });
  });

  it('deletes a Pod that its kubelet does not end', async () => {
    await apply(
      'apiVersion: v1\nkind: Pod\nmetadata: { name: stuck, namespace: shop }\nspec: { containers: [{ name: main, image: web:1 }] }\n',
    );
    const path = `${resources}/core/v1/pods/stuck`;
    await healthy(path);
    const stuck = ({ metadata }: Item): void => {
      if (metadata.name === 'stuck') metadata.deletionTimestamp = '2026-11-01T00:00:00Z';
    };
    await whilePodsAre(stuck, async () => {
      const [preview, done] = await repair({ path, cause: 'being_deleted', code: 'delete_pod' });
      expect([preview.outcome, preview.after, done.outcome]).toEqual(['deleted', null, 'deleted']);
    });
    await app.client.until(`${resources}/core/v1/pods?namespace=shop&search=stuck`, (found) =>
      JSON.stringify(found).includes('"rows":[]'),
    );
  });

  it('creates the namespace that a report names as missing', async () => {
    const report = { type: 'Ready', status: 'False', message: 'namespaces "yard" not found' };
    const unready = (body: unknown): void => {
      (body as Item)['status'] = { conditions: [report] };
    };
    const path = `${resources}/core/v1/configmaps/kube-root-ca.crt`;
    const server = app.nest.get(DemoWorld).apiServer('repair');
    await withChangedResponses(server, /\/configmaps\/kube-root-ca\.crt$/, unready, async () => {
      const [, done] = await repair({ path, cause: 'reported_failure', code: 'create_namespace' });
      expect(done).toMatchObject({ outcome: 'created', object: { kind: 'Namespace', name: 'yard' } });
    });
  });

  it('raises a quota, and lets the controller try again', async () => {
    const message =
      'pods "web-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0';
    const refused = (body: unknown): void => {
      const status = {
        ...{ replicas: 0, readyReplicas: 0 },
        conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }],
      };
      const { items = [body as Item] } = body as { items?: Item[] };
      for (const item of items) Object.assign(item, { status });
    };
    await apply(
      'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: small, namespace: shop }\nspec: { hard: { pods: "0", secrets: "9" } }\n',
    );
    const server = app.nest.get(DemoWorld).apiServer('repair');
    const path = deployment('web');
    await withChangedResponses(server, /\/(deployments\/web$|replicasets\?)/, refused, async () => {
      const [preview, done] = await repair({ path, cause: 'quota_exceeded', code: 'raise_quota' });
      expect(preview.after).toMatch(/pods: "\d"\n +secrets: "9"/);
      expect(done).toMatchObject({ outcome: 'configured', object: { kind: 'ResourceQuota', name: 'small' } });
    });
    const { api } = await app.nest.get(ClusterResources, { strict: false }).open('repair');
    const sets = await api.list(
      { group: 'apps', version: 'v1', plural: 'replicasets' },
      { namespace: 'shop', labelSelector: 'app=web' },
    );
    expect(sets.map(({ metadata }) => metadata.annotations?.['slipway/retried-at'])).toEqual([
      expect.stringMatching(/^20/),
    ]);
  });
});
