import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ProvisionerSelector } from '../../backend/src/drivers/provisioner/cluster-provisioner.js';
import { RuntimeRegistry } from '../../backend/src/drivers/runtime/runtime-registry.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { clusterRoutes } from '../support/app/cluster-routes.js';
import { createCluster } from '../support/app/clusters.js';
import { hashOfData } from '../support/app/data-hash.js';
import { BODIES, CONFIGS, JSON_VALUES, PROOF, STRINGS } from '../support/app/hostile-corpus.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const FIELDS = [
  'name',
  'workers',
  'node_image_tag',
  'control_planes',
  'port_mappings',
  'mounts',
  'runtime',
  'config',
  'accept_host_access',
  'keep_on_failure',
] as const;
const PORT_FIELDS = ['container_port', 'host_port', 'listen_address', 'protocol'] as const;
const NAMES_FOR_ALL_ROUTES = new Set(['', '../x', 'a/b', 'a\u0000b', 'x'.repeat(41)]);
const MOUNT_FIELDS = ['host_path', 'container_path', 'read_only'] as const;

/** Fields of other types reject every string alike, so a few strings are enough for them. */
const TEXT_FIELDS = new Set([
  'name',
  'node_image_tag',
  'runtime',
  'config',
  'listen_address',
  'protocol',
  'host_path',
  'container_path',
]);
const FEW_STRINGS = ['""', '"true"', '"1e309"', '"__proto__"'];

function valuesFor(field: string): readonly string[] {
  return JSON_VALUES.filter(
    (value) => TEXT_FIELDS.has(field) || !value.startsWith('"') || FEW_STRINGS.includes(value),
  );
}

/** Valid values of a field, which are skipped. */
const VALID: Readonly<Record<string, readonly string[]>> = {
  name: ['"true"', '"null"', '"constructor"', '"1e309"'],
  workers: ['0'],
  control_planes: [],
  port_mappings: ['[]'],
  mounts: ['[]'],
  accept_host_access: ['true', 'false'],
  keep_on_failure: ['true', 'false'],
  host_port: [],
  host_path: ['"/etc/passwd"'],
  container_path: ['"/etc/passwd"'],
  read_only: ['true', 'false'],
};

describe('hostile input', () => {
  let app: TestApp;
  let before: string;
  const calls: string[] = [];

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'bystander', { workers: 1 });
    spyOn(app, calls);
  });

  beforeEach(() => {
    before = hashOfData(app.dataDirectory);
    calls.length = 0;
  });

  afterAll(() => app.stop());

  /** Expects an error response of the common format. */
  function expectRejection(what: string, response: ApiResponse): void {
    const { code, request_id } = (response.body ?? {}) as Partial<ErrorResponse>;
    const shown = `${what}: ${response.status} ${code ?? response.text.slice(0, 200)}`;
    expect(shown).toMatch(/: 4\d\d [a-z_]+$/);
    expect(request_id).toMatch(/^[0-9a-f]{16}$/);
  }

  function expectNothingChanged(): void {
    expect(hashOfData(app.dataDirectory)).toBe(before);
    expect(calls).toEqual([]);
    expect(existsSync(PROOF)).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }

  it.each(FIELDS)('is rejected in the field %s', async (field) => {
    const valid = { name: 'hostile', workers: 0, node_image_tag: 'v1.34.4' };
    for (const value of valuesFor(field)) {
      if (VALID[field]?.includes(value)) continue;
      const others = Object.entries(valid).filter(
        ([key]) => key !== field && !(field === 'config' && key === 'workers'),
      );
      const text = `{${others.map(([key, other]) => `"${key}":${JSON.stringify(other)},`).join('')}"${field}":${value}}`;
      const response = await app.client.send('POST', '/api/v1/clusters', { text });
      // A well-formed runtime that is not available is a different error.
      if (field === 'runtime' && response.status === 503) continue;
      expectRejection(`${field}=${value.slice(0, 60)}`, response);
    }
    expectNothingChanged();
  });

  it.each([
    ...PORT_FIELDS.map(
      (field) => ['port_mappings', { container_port: 1, host_port: 18_341 }, field] as const,
    ),
    ...MOUNT_FIELDS.map((field) => ['mounts', { host_path: '/a', container_path: '/b' }, field] as const),
  ])('is rejected in %s %j, field %s', async (list, valid, field) => {
    for (const value of valuesFor(field)) {
      if (VALID[field]?.includes(value)) continue;
      const others = Object.entries(valid).filter(([key]) => key !== field);
      const entry = `{${others.map(([key, other]) => `"${key}":${JSON.stringify(other)},`).join('')}"${field}":${value}}`;
      const text = `{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","${list}":[${entry}]}`;
      expectRejection(
        `${list}.${field}=${value.slice(0, 60)}`,
        await app.client.send('POST', '/api/v1/clusters', { text }),
      );
    }
    expectNothingChanged();
  });

  it.each(BODIES)('is rejected as the body %s by the routes that take one', async (_, text) => {
    for (const path of ['/api/v1/clusters', '/api/v1/clusters/check']) {
      const response = await app.client.send('POST', path, { text });
      expectRejection(path, response);
    }
    expectNothingChanged();
  });

  it.each(CONFIGS)('is rejected as the config %s', async (_, config) => {
    const body = { name: 'hostile', config, accept_host_access: true };
    expectRejection('create', await app.client.send('POST', '/api/v1/clusters', { body }));
    const check = await app.client.send('POST', '/api/v1/clusters/check', { body });
    if (check.status === 200) expect(check.body).toMatchObject({ acceptable: false });
    else expectRejection('check', check);
    const change = { body: { config, accept_host_access: true }, headers: { 'if-match': '*' } };
    expectRejection('replace', await app.client.send('PUT', '/api/v1/clusters/bystander/config', change));
    expectNothingChanged();
  });

  it('is rejected as a cluster name in the path by every route', async () => {
    const routes = await clusterRoutes(app.client);
    for (const text of STRINGS) {
      const name = encodeURIComponent(text.isWellFormed() ? text : 'x y');
      for (const { method, part: suffix, request } of routes) {
        // One route gets all names, the other routes some of them.
        if (!NAMES_FOR_ALL_ROUTES.has(text) && (method !== 'DELETE' || suffix !== '')) continue;
        // The path without a name lists all clusters.
        if (name === '' && suffix === '' && method === 'GET') continue;
        const path = `/api/v1/clusters/${name}${suffix}`;
        expectRejection(`${method} ${path.slice(0, 100)}`, await app.client.send(method, path, request));
      }
    }
    expectNothingChanged();
  });

  it('is rejected in a raw path by every route', async () => {
    for (const path of [
      '/api/v1/clusters/../clusters/bystander',
      '/api/v1/clusters/bystander/../bystander/kubeconfig',
      '/api/v1/clusters/..%2fbystander',
      '/api/v1/clusters/..%5cbystander',
      '/api/v1/clusters/bystander%2fkubeconfig',
      '/api/v1/clusters/bystander%00',
      '/api/v1/clusters/%c0%ae%c0%ae',
      '/api/v1/clusters/%',
      '/api/v1/clusters/bystander;a=b',
      '/api/v1//clusters/bystander',
      `/api/v1/clusters/${'x'.repeat(6000)}`,
    ]) {
      for (const method of ['GET', 'DELETE']) {
        expectRejection(`${method} ${path.slice(0, 80)}`, await app.client.send(method, path));
      }
    }
    expectNothingChanged();
  });

  it('is rejected in a query by the routes that take one', async () => {
    const routes: [string, string][] = [
      ['GET', '/api/v1/clusters/bystander'],
      ['DELETE', '/api/v1/clusters/bystander'],
      ['GET', '/api/v1/clusters/bystander/config'],
      ['GET', '/api/v1/clusters/bystander/config/applied'],
      ['PUT', '/api/v1/clusters/bystander/config'],
      ['GET', '/api/v1/clusters/bystander/provision-log'],
      ['GET', '/api/v1/clusters/bystander/kubeconfig'],
      ['GET', '/api/v1/clusters/bystander/node-logs'],
      ['GET', '/api/v1/jobs/1'],
      ['GET', '/api/v1/journal/recent'],
    ];
    const queries = [
      'unknown=1',
      '__proto__=1',
      '__proto__[polluted]=true',
      'constructor=1',
      'runtime[]=demo',
      'a[b][c]=d',
      '=',
      'token=x&unknown=1',
    ];
    for (const [method, path] of routes) {
      for (const query of queries) {
        expectRejection(`${method} ${path}?${query}`, await app.client.send(method, `${path}?${query}`));
      }
    }
    for (const text of STRINGS.filter((candidate) => candidate.isWellFormed())) {
      if (/^[a-z]{1,20}$/.test(text)) continue;
      const runtime = `/api/v1/clusters/bystander?runtime=${encodeURIComponent(text)}`;
      expectRejection(runtime.slice(0, 80), await app.client.send('DELETE', runtime));
      const limit = `/api/v1/journal/recent?limit=${encodeURIComponent(text)}`;
      expectRejection(limit.slice(0, 80), await app.client.send('GET', limit));
      if (text.length <= 200) continue;
      const long = `/api/v1/journal/recent?text=${encodeURIComponent(text)}`;
      expectRejection('text', await app.client.send('GET', long));
    }
    expectNothingChanged();
  });

  it('is searched literally in the journal', async () => {
    for (const text of STRINGS.filter((candidate) => candidate.isWellFormed() && candidate.length <= 200)) {
      const path = `/api/v1/journal/recent?text=${encodeURIComponent(text)}`;
      const { total } = await app.client.get<{ total: number }>(path);
      // An empty text and letters of messages have matches.
      if (!/^[ .Aa-]*$/.test(text)) expect([text, total]).toEqual([text, 0]);
    }
    expectNothingChanged();
  });
});

/** Records calls of the engine and the provisioner that change something. */
function spyOn({ nest }: TestApp, calls: string[]): void {
  const runtime = nest.get(RuntimeRegistry).get('demo');
  const provisioner = nest.get(ProvisionerSelector).for(runtime);
  const record = (target: object, names: readonly string[]): void => {
    for (const name of names) {
      Object.defineProperty(target, name, {
        value: (): never => {
          calls.push(name);
          throw new Error(`${name} was called`);
        },
      });
    }
  };
  record(runtime, ['pullImage', 'removeObjects', 'nodeFolder']);
  record(provisioner, ['create', 'loadArchive']);
}
