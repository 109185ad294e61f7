import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DiagnosisDto, FixDto } from '../../backend/src/modules/diagnosis/diagnosis.dto.js';
import type { JournalPageDto } from '../../backend/src/modules/journal/journal.dto.js';
import type { FixedDto } from '../../backend/src/modules/resource-changes/fix/fix.dto.js';
import type { ResourceObjectDto } from '../../backend/src/modules/resources/common/object.dto.js';
import { createCluster } from '../support/app/clusters.js';
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

describe('POST :group/:version/:plural/:object/fix', () => {
  let app: TestApp;
  const resources = '/api/v1/clusters/mend/resources';
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
    await createCluster(app.client, 'mend', { workers: 1 });
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
    await app.client.until<JournalPageDto>('/api/v1/journal/recent?cluster=mend', ({ entries }) =>
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
});
