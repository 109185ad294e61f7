import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DiskUsageDto } from '../../backend/src/modules/images/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { jobEnded, requestCluster, submit } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import type { ScriptedEngine } from '../support/engine/scripted-engine.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

const image = (version: string): string => `docker.io/kindest/node:${version}`;

/** On scripted engines, which change between the selection and the removal. */
describe.each(['docker', 'podman'] as const)('POST /images/prune on %s', (name) => {
  let machine: ScriptedMachine;
  let engine: ScriptedEngine;
  let app: TestApp;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({
      engines: [name],
      images: ['v1.34.4', 'v1.33.1', 'v1.32.0'].map(image),
    });
    engine = machine.engine(name);
    app = await startApp({ environment: { ...machine.environment, APP_RUNTIME: name } });
    await app.client.until('/api/v1/stats', ({ container_cli: cli }) => cli === name);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await app.stop();
    await machine.close();
  });

  const usage = async (): Promise<DiskUsageDto['node_images']> => {
    const [own] = await app.client.get<DiskUsageDto[]>('/api/v1/images/usage');
    return own?.node_images ?? [];
  };
  const idOf = async (version: string): Promise<string> =>
    (await usage()).find(({ references }) => references[0]?.endsWith(version))?.id ?? '';
  const prune = async (images: string[]): Promise<JobWithLogDto> =>
    await jobEnded(app.client, await submit(app.client, '/api/v1/images/prune', { runtime: name, images }));
  const left = (): string[] =>
    [...engine.world.images].map((reference) => reference.split(':')[1] ?? '').sort();
  const useFromOutside = (reference: string): void => {
    engine.world.addNode({
      name: 'late-control-plane',
      cluster: 'late',
      role: 'control-plane',
      image: reference,
      port: 40_123,
      volume: engine.world.addVolume('late-control-plane'),
    });
  };
  /** Runs a function when the engine receives the next removal, before it responds. */
  const atNextRemoval = (act: () => void): { requests: () => number } => {
    const remove = engine.images.remove.bind(engine.images);
    const spy = jest.spyOn(engine.images, 'remove').mockImplementationOnce((reference) => {
      act();
      return remove(reference);
    });
    return { requests: () => spy.mock.calls.length };
  };

  it('removes only the selected images', async () => {
    const job = await prune([await idOf('v1.33.1')]);
    expect(job).toMatchObject({ kind: 'prune', state: 'succeeded', warnings: [] });
    expect((job.result as { images: string[] }).images).toEqual([expect.stringContaining('v1.33.1')]);
    expect(left()).toEqual(['v1.32.0', 'v1.34.4']);
  });

  it('skips an image that a new cluster uses since the selection', async () => {
    const id = await idOf('v1.33.1');
    expect((await usage()).find((entry) => entry.id === id)).toMatchObject({ removable: true });
    machine.kind.freezeAt('preparing-nodes');
    const creation = await requestCluster(app.client, 'late', { node_image_tag: 'v1.33.1' });
    const job = await prune([id]);
    expect([job.state, job.warnings]).toEqual([
      'succeeded',
      [expect.stringMatching(/^Skipped .*v1\.33\.1: late uses it\.$/)],
    ]);
    expect(left()).toContain('v1.33.1');
    machine.kind.thaw();
    expect((await jobEnded(app.client, creation)).state).toBe('succeeded');
  });

  it('checks each image again before its removal', async () => {
    const ids = [await idOf('v1.33.1'), await idOf('v1.32.0')];
    const removals = atNextRemoval(() => useFromOutside(image('v1.32.0')));
    const job = await prune(ids);
    expect([job.state, job.warnings]).toEqual([
      'succeeded',
      [expect.stringMatching(/^Skipped .*v1\.32\.0: late uses it\.$/)],
    ]);
    expect(left()).toEqual(['v1.32.0', 'v1.34.4']);
    // The engine received no request for the second one.
    expect(removals.requests()).toBe(1);
  });

  it('does not force the removal of an image that is in use by then', async () => {
    const id = await idOf('v1.33.1');
    atNextRemoval(() => useFromOutside(image('v1.33.1')));
    const job = await prune([id]);
    expect([job.state, job.result]).toEqual(['succeeded', null]);
    expect(job.warnings).toEqual([
      expect.stringMatching(new RegExp(`^Skipped .*v1\\.33\\.1: ${name} keeps `)),
    ]);
    expect(left()).toContain('v1.33.1');
  });
});
