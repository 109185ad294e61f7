import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { VersionsDto } from '../../backend/src/modules/versions/index.js';
import type { ClusterCheckDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import { jobEnded, requestCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { RegistryServer } from '../support/registry/registry-server.js';
import { waitFor } from '../support/wait-for.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

/** The scripted kind is 0.33. */
const PINNED = /^v1\.37\.0(@sha256:[0-9a-f]{64})?$/;

describe('GET /versions with kind', () => {
  let registry: RegistryServer;
  let machine: ScriptedMachine;
  let app: TestApp;

  const read = (): Promise<VersionsDto> => app.client.get<VersionsDto>('/api/v1/versions');
  const tagged = ({ tags }: VersionsDto, tag: string): VersionsDto['tags'][number] | undefined =>
    tags.find((entry) => entry.tag.split('@')[0] === tag);

  const start = (): Promise<TestApp> =>
    startApp({
      environment: {
        ...machine.environment,
        APP_RUNTIME: 'docker',
        APP_NODE_IMAGE_REPOSITORY: `${registry.address}/kindest/node`,
        APP_REGISTRY_LOOKUP: 'on',
      },
    });

  beforeEach(async () => {
    registry = await RegistryServer.start();
    registry.tags.set('kindest/node', ['v1.38.1', 'v1.37.0', 'v1.34.4', 'v1.33.9', 'latest', 'v1.36.0-rc.1']);
    machine = await ScriptedMachine.start({ images: [`${registry.address}/kindest/node:v1.34.4`] });
    app = await start();
  });

  afterEach(async () => {
    await app.stop();
    await registry.stop();
    await machine.close();
  });

  it('returns known tags immediately, and the tags of the registry later', async () => {
    const held: ServerResponse[] = [];
    registry.instead = (_request, response) => held.push(response) > 0;
    const first = await read();
    expect(first.registry).toMatchObject({ state: 'reading', reason: null, read_at: null });
    expect(first.tags.map(({ origin }) => origin)).not.toContain('registry');
    expect(first.default_tag).toBe('v1.34.4');
    await waitFor(() => held.length === 1, 'the question to the registry');
    held[0]?.end(JSON.stringify({ tags: registry.tags.get('kindest/node') }));
    const later = await app.client.until<VersionsDto>(
      '/api/v1/versions',
      ({ registry: { state } }) => state === 'reached',
    );
    expect(later.registry.repository).toBe(`${registry.address}/kindest/node`);
    expect(Date.parse(later.registry.read_at ?? '')).not.toBeNaN();
    expect(later.tags.filter(({ origin }) => origin === 'registry').map(({ tag }) => tag)).toEqual([
      'v1.38.1',
      'v1.33.9',
    ]);
    expect(registry.requests.filter((line) => line.includes('/tags/list'))).toHaveLength(1);
  });

  it('marks and refuses tags that do not start on cgroup v1, unless the request accepts them', async () => {
    await app.stop();
    machine.engine('docker').cgroupVersion = '1';
    app = await start();
    const versions = await read();
    expect(tagged(versions, 'v1.37.0')).toMatchObject({
      fits: 'never',
      fits_reason: 'does not start on this host, which has cgroup v1',
    });
    expect(versions.default_tag).toBe('v1.34.4');
    const request = { name: 'new', workers: 0, node_image_tag: 'v1.37.0' };
    const check = await app.client.send('POST', '/api/v1/clusters/check', { body: request });
    expect(check.body).toMatchObject({
      acceptable: false,
      problems: [
        {
          field: 'node_image_tag',
          problem: expect.stringContaining('need cgroup v2') as unknown,
          code: 'needs_cgroup_v2',
        },
      ],
    });
    const refused = await app.client.send('POST', '/api/v1/clusters', { body: request });
    expect(refused.body).toMatchObject({ code: 'config_refused' });
    const accepted = { ...request, accept_cgroup_v1: true };
    expect((await app.client.send('POST', '/api/v1/clusters', { body: accepted })).status).toBe(202);
  });

  it('gives a config without an image a tag that is on the machine', async () => {
    const config = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
    const { body } = await app.client.send('POST', '/api/v1/clusters/check', {
      body: { name: 'new', config },
    });
    expect((body as ClusterCheckDto).config).toContain(':v1.34.4\n');
  });

  it('returns origin, presence and compatibility of each tag', async () => {
    const versions = await app.client.until<VersionsDto>(
      '/api/v1/versions',
      ({ registry: { state } }) => state === 'reached',
    );
    expect(versions.tags[0]).toMatchObject({
      tag: 'v1.34.4',
      origin: 'local',
      present_in: ['docker'],
      fits: 'unknown',
    });
    expect(tagged(versions, 'v1.37.0')).toMatchObject({
      tag: expect.stringMatching(PINNED) as unknown,
      origin: 'kind',
      present_in: [],
      fits: 'likely',
      fits_reason: null,
    });
    expect(tagged(versions, 'v1.38.1')).toMatchObject({ origin: 'registry', fits: 'unlikely' });
    expect(tagged(versions, 'v1.38.1')?.fits_reason).toContain(
      'newer than v1.37, the newest for kind 0.33.0',
    );
    expect(tagged(versions, 'v1.33.9')?.fits_reason).toContain(
      'older than v1.34, the oldest for kind 0.33.0',
    );
    // One tag per version: the one for this kind or a local one.
    const bare = versions.tags.map(({ tag }) => tag.split('@')[0]);
    expect(new Set(bare).size).toBe(bare.length);
  });

  it('returns the known tags and the reason if the registry is unreachable', async () => {
    await registry.stop();
    const versions = await app.client.until<VersionsDto>(
      '/api/v1/versions',
      ({ registry: { state } }) => state === 'unreachable',
    );
    expect(versions.registry.reason).toContain('cannot be reached (connection refused)');
    expect(tagged(versions, 'v1.34.4')?.origin).toBe('local');
    expect(versions.default_tag).toBe('v1.34.4');
    registry = await RegistryServer.start();
  });

  it('POST /clusters/check and the job warn of an unlikely version', async () => {
    const body = { name: 'old', workers: 0, node_image_tag: 'v1.30.0' };
    const { body: checked } = await app.client.send('POST', '/api/v1/clusters/check', { body });
    const { acceptable, warnings } = checked as ClusterCheckDto;
    expect(acceptable).toBe(true);
    expect(warnings).toContain(
      'Node image: v1.30.0 is older than v1.34, the oldest for kind 0.33.0; it may not start.',
    );
    const ended = await jobEnded(
      app.client,
      await requestCluster(app.client, 'old', { workers: 0, node_image_tag: 'v1.30.0' }),
    );
    expect(ended.warnings).toContain(warnings.find((warning) => warning.startsWith('Node image')));
  });

  it('POST /clusters/check does not warn of an unknown version', async () => {
    const body = { name: 'fine', workers: 0, node_image_tag: 'v1.34.4' };
    const { body: checked } = await app.client.send('POST', '/api/v1/clusters/check', { body });
    expect((checked as ClusterCheckDto).warnings.filter((warning) => warning.includes('v1.34.4'))).toEqual(
      [],
    );
  });
});

describe('GET /versions in the demo', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it('sends no requests to the registry', async () => {
    const { registry, tags } = await app.client.get<VersionsDto>('/api/v1/versions');
    expect(registry).toMatchObject({ state: 'off', reason: null });
    expect(tags.every(({ fits }) => fits === 'likely')).toBe(true);
  });
});
