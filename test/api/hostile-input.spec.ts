import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ProvisionerSelector } from '../../backend/src/drivers/provisioner/index.js';
import { RuntimeRegistry } from '../../backend/src/drivers/runtime/index.js';
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
const MOUNT_FIELDS = ['host_path', 'container_path', 'read_only'] as const;

/** Values that are right for a field, and so prove nothing. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
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

  /** Every answer is a refusal in the one shape, whatever was sent. */
  function expectRefusal(what: string, answer: ApiResponse): void {
    const { code, request_id } = (answer.body ?? {}) as Partial<ErrorResponse>;
    const shown = `${what}: ${answer.status} ${code ?? answer.text.slice(0, 200)}`;
    expect(shown).toMatch(/: 4\d\d [a-z_]+$/);
    expect(request_id).toMatch(/^[0-9a-f]{16}$/);
  }

  function expectNothingChanged(): void {
    expect(hashOfData(app.dataDirectory)).toBe(before);
    expect(calls).toEqual([]);
    expect(existsSync(PROOF)).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }

  it.each(FIELDS)('in the field %s is refused', async (field) => {
    const right = { name: 'hostile', workers: 0, node_image_tag: 'v1.34.4' };
    for (const value of JSON_VALUES) {
      if (RIGHT[field]?.includes(value)) continue;
      const others = Object.entries(right).filter(
        ([key]) => key !== field && !(field === 'config' && key === 'workers'),
      );
      const text = `{${others.map(([key, other]) => `"${key}":${JSON.stringify(other)},`).join('')}"${field}":${value}}`;
      const answer = await app.client.send('POST', '/api/v1/clusters', { text });
      // A well-formed runtime that this machine does not have is no mistake of form.
      if (field === 'runtime' && answer.status === 503) continue;
      expectRefusal(`${field}=${value.slice(0, 60)}`, answer);
    }
    expectNothingChanged();
  });

  it.each([
    ...PORT_FIELDS.map(
      (field) => ['port_mappings', { container_port: 1, host_port: 18_341 }, field] as const,
    ),
    ...MOUNT_FIELDS.map((field) => ['mounts', { host_path: '/a', container_path: '/b' }, field] as const),
  ])('in %s %j under %s is refused', async (list, right, field) => {
    for (const value of JSON_VALUES) {
      if (RIGHT[field]?.includes(value)) continue;
      const others = Object.entries(right).filter(([key]) => key !== field);
      const entry = `{${others.map(([key, other]) => `"${key}":${JSON.stringify(other)},`).join('')}"${field}":${value}}`;
      const text = `{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","${list}":[${entry}]}`;
      expectRefusal(
        `${list}.${field}=${value.slice(0, 60)}`,
        await app.client.send('POST', '/api/v1/clusters', { text }),
      );
    }
    expectNothingChanged();
  });

  it.each(BODIES)('as a body, %s, is refused by every route', async (_, text) => {
    for (const path of ['/api/v1/clusters', '/api/v1/clusters/check']) {
      const answer = await app.client.send('POST', path, { text });
      expectRefusal(path, answer);
    }
    for (const [method, path] of [
      ['POST', '/api/v1/jobs/999/cancel'],
      ['DELETE', '/api/v1/jobs'],
      ['DELETE', '/api/v1/clusters/bystander'],
    ] as const) {
      // An empty body says nothing, and nothing is wrong with that; these routes are not for this test then.
      if (text === '{}' || text === '[]') continue;
      expectRefusal(path, await app.client.send(method, path, { text }));
    }
    expectNothingChanged();
  });

  it.each(CONFIGS)('as a config, %s, is refused', async (_, config) => {
    const body = { name: 'hostile', config, accept_host_access: true };
    expectRefusal('create', await app.client.send('POST', '/api/v1/clusters', { body }));
    const check = await app.client.send('POST', '/api/v1/clusters/check', { body });
    if (check.status === 200) expect(check.body).toMatchObject({ acceptable: false });
    else expectRefusal('check', check);
    const change = { body: { config, accept_host_access: true }, headers: { 'if-match': '*' } };
    expectRefusal('replace', await app.client.send('PUT', '/api/v1/clusters/bystander/config', change));
    expectNothingChanged();
  });

  it('in the name of a path is refused by every route', async () => {
    const routes = await clusterRoutes(app.client);
    for (const text of STRINGS) {
      const name = encodeURIComponent(text.isWellFormed() ? text : 'x y');
      for (const { method, part: suffix, request } of routes) {
        // Without a name this is the list of all clusters.
        if (name === '' && suffix === '' && method === 'GET') continue;
        const path = `/api/v1/clusters/${name}${suffix}`;
        expectRefusal(`${method} ${path.slice(0, 100)}`, await app.client.send(method, path, request));
      }
    }
    expectNothingChanged();
  });

  it('in a path as it goes out is refused by every route', async () => {
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
        expectRefusal(`${method} ${path.slice(0, 80)}`, await app.client.send(method, path));
      }
    }
    expectNothingChanged();
  });

  it('in a query is refused by every route', async () => {
    const routes: [string, string][] = [
      ['GET', '/api/v1/clusters'],
      ['GET', '/api/v1/clusters/bystander'],
      ['DELETE', '/api/v1/clusters/bystander'],
      ['GET', '/api/v1/clusters/bystander/config'],
      ['GET', '/api/v1/clusters/bystander/config/applied'],
      ['PUT', '/api/v1/clusters/bystander/config'],
      ['GET', '/api/v1/clusters/bystander/provision-log'],
      ['GET', '/api/v1/clusters/bystander/kubeconfig'],
      ['GET', '/api/v1/clusters/bystander/node-logs'],
      ['GET', '/api/v1/jobs'],
      ['GET', '/api/v1/jobs/1'],
      ['DELETE', '/api/v1/jobs'],
      ['POST', '/api/v1/jobs/1/cancel'],
      ['GET', '/api/v1/journal/recent'],
      ['GET', '/api/v1/stats'],
      ['GET', '/api/v1/versions'],
      ['GET', '/api/v1/health'],
      ['GET', '/api/v1/diagnostics'],
      ['GET', '/api/v1/docs/readme'],
      ['POST', '/api/v1/clusters'],
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
        expectRefusal(`${method} ${path}?${query}`, await app.client.send(method, `${path}?${query}`));
      }
    }
    for (const text of STRINGS.filter((candidate) => candidate.isWellFormed())) {
      if (/^[a-z]{1,20}$/.test(text)) continue;
      const runtime = `/api/v1/clusters/bystander?runtime=${encodeURIComponent(text)}`;
      expectRefusal(runtime.slice(0, 80), await app.client.send('DELETE', runtime));
      const limit = `/api/v1/journal/recent?limit=${encodeURIComponent(text)}`;
      expectRefusal(limit.slice(0, 80), await app.client.send('GET', limit));
      if (text.length <= 200) continue;
      const long = `/api/v1/journal/recent?text=${encodeURIComponent(text)}`;
      expectRefusal('text', await app.client.send('GET', long));
    }
    expectNothingChanged();
  });

  it('that the journal is searched for is text, and nothing else', async () => {
    for (const text of STRINGS.filter((candidate) => candidate.isWellFormed() && candidate.length <= 200)) {
      const path = `/api/v1/journal/recent?text=${encodeURIComponent(text)}`;
      const { total } = await app.client.get<{ total: number }>(path);
      // Nothing and what occurs in a message are found there.
      if (!/^[ .Aa-]*$/.test(text)) expect([text, total]).toEqual([text, 0]);
    }
    expectNothingChanged();
  });
});

/** Records everything that changes something, of the engine and of what makes clusters. */
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
