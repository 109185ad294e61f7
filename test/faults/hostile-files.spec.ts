import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_ON_MAIN_THREAD } from '../../backend/src/core/work/is-large.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { createCluster } from '../support/app/clusters.js';
import { hashOfData } from '../support/app/data-hash.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { HOSTILE_ARCHIVES, HOSTILE_SCHEMAS, hostileChart } from '../support/hostile/hostile-archives.js';
import { HOSTILE_JSON, HOSTILE_YAML } from '../support/hostile/hostile-yaml.js';

/** Above what the main thread parses. `parseYaml` throws there, which is a 500: each other response proves a process. */
const LARGE = 2 * MAX_ON_MAIN_THREAD;
const CLUSTER = '/api/v1/clusters/bystander';
const KIND = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hostile}\n';
const ALL = [...HOSTILE_YAML, ...HOSTILE_JSON] as const;
/**
 * All routes use the same parser. One gets all texts, the others one for each of its limits, and those whose meaning
 * depends on the options of the route: duplicate keys, merges and tags.
 */
const SOME = ALL.filter(([what]) =>
  [
    'a key bomb',
    'duplicate keys',
    'an alias bomb',
    'merges',
    'deep lists',
    'tags of other languages',
    'documents',
    'a polluting key',
  ].includes(what),
);

describe('hostile files', () => {
  let app: TestApp;
  let kubeconfig: string;

  beforeAll(async () => {
    app = await startApp();
    kubeconfig = join(app.dataDirectory, '.kube', 'config');
    await createCluster(app.client, 'bystander');
  });

  beforeEach(() => {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  afterAll(() => app.stop());

  const post = async (path: string, body: object): Promise<ApiResponse> =>
    await app.client.send('POST', path, { body });

  const upload = async (bytes: Buffer): Promise<ApiResponse> =>
    await app.client.send('POST', `${CLUSTER}/addons/charts`, {
      text: bytes,
      headers: { 'content-type': 'application/gzip' },
    });

  it.each(ALL)('POST /clusters/check reports problems of a config with %s', async (_, textOf) => {
    const response = await post('/api/v1/clusters/check', { name: 'hostile', config: KIND + textOf(LARGE) });
    expect([response.status, response.body]).toMatchObject([200, { acceptable: false }]);
  });

  it.each(SOME)('POST …/resources/apply rejects documents with %s individually', async (_, textOf) => {
    const before = hashOfData(app.dataDirectory);
    const response = await post(`${CLUSTER}/resources/apply`, {
      yaml: OBJECT + textOf(LARGE),
      dry_run: true,
    });
    expect([200, 400]).toContain(response.status);
    expect(hashOfData(app.dataDirectory)).toBe(before);
  });

  it.each(SOME)('POST …/addons accepts or rejects values with %s', async (_, textOf) => {
    const response = await post(`${CLUSTER}/addons`, {
      addon: 'kiali',
      values: textOf(LARGE),
      dry_run: true,
    });
    expect([200, 422]).toContain(response.status);
    if (response.status === 422) expect((response.body as ErrorResponse).code).toBe('values_refused');
  });

  it.each(SOME)(
    'GET and POST …/kubeconfig/merge keep a kubeconfig with %s usable or unchanged',
    async (_, textOf) => {
      const text = `apiVersion: v1\nkind: Config\n${textOf(LARGE)}`;
      mkdirSync(dirname(kubeconfig), { recursive: true });
      writeFileSync(kubeconfig, text);
      const state = await app.client.get<{ problem: string | null }>(`${CLUSTER}/kubeconfig/merge`);
      const merged = await post(`${CLUSTER}/kubeconfig/merge`, {});
      expect(state.problem === null ? [200, 422] : [422]).toContain(merged.status);
      if (merged.status === 422) expect(readFileSync(kubeconfig, 'utf8')).toBe(text);
      expect(state.problem ?? '').toMatch(/^$|^Could not use .+ It was not changed\.$/);
    },
  );

  it.each(SOME)('POST …/addons/charts accepts or rejects a chart with %s', async (_, textOf) => {
    const described = await upload(hostileChart({ 'Chart.yaml': textOf(LARGE) }));
    expect([described.status, described.body]).toMatchObject([422, { code: 'chart_refused' }]);
    // helm checks the default values of a chart.
    const valued = await upload(hostileChart({ 'values.yaml': textOf(LARGE) }));
    expect(valued.status).toBe(201);
    const tried = await post(`${CLUSTER}/addons`, {
      repository: 'uploaded',
      chart: 'hostile',
      dry_run: true,
    });
    expect([200, 422]).toContain(tried.status);
  });

  it.each(HOSTILE_ARCHIVES)('POST …/addons/charts rejects an archive with %s', async (_, bytes) => {
    const response = await upload(bytes());
    expect([response.status, response.body]).toMatchObject([422, { code: 'chart_refused' }]);
  });

  it.each(HOSTILE_ARCHIVES)('POST …/images/upload rejects an archive with %s', async (_, bytes) => {
    const response = await app.client.send('POST', `${CLUSTER}/images/upload`, {
      text: bytes(),
      headers: { 'content-type': 'application/x-tar' },
    });
    expect([response.status, response.body]).toMatchObject([422, { code: 'archive_refused' }]);
  });

  it.each(HOSTILE_SCHEMAS)('POST …/addons terminates for a schema with %s', async (_, schema, values) => {
    expect((await upload(hostileChart({ 'values.schema.json': JSON.stringify(schema()) }))).status).toBe(201);
    const found = await app.client.send('GET', `${CLUSTER}/addons/charts?repository=uploaded&chart=hostile`);
    expect(found.status).toBe(200);
    const request = { repository: 'uploaded', chart: 'hostile', values, dry_run: true };
    expect([200, 422]).toContain((await post(`${CLUSTER}/addons`, request)).status);
  });
});
