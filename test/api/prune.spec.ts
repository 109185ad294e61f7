import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DiskUsageDto } from '../../backend/src/modules/images/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { jobEnded, requestCluster, submit } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import type { ScriptedEngine } from '../support/engine/scripted-engine.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

const image = (version: string): string => `docker.io/kindest/node:${version}`;

/** On scripted engines: what happens between somebody's choice and the moment of each removal. */
describe.each(['docker', 'podman'] as const)('a prune of node images on %s', (name) => {
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
  const useByOutside = (reference: string): void => {
    engine.world.addNode({
      name: 'late-control-plane',
      cluster: 'late',
      role: 'control-plane',
      image: reference,
      port: 40_123,
      volume: engine.world.addVolume('late-control-plane'),
    });
  };
  /** Does something as the engine is asked for the next removal, and before it answers. */
  const atNextRemoval = (act: () => void): { asked: () => number } => {
    const remove = engine.images.remove.bind(engine.images);
    const spy = jest.spyOn(engine.images, 'remove').mockImplementationOnce((reference) => {
      act();
      return remove(reference);
    });
    return { asked: () => spy.mock.calls.length };
  };

  it('removes those that were chosen, and no other', async () => {
    const job = await prune([await idOf('v1.33.1')]);
    expect(job).toMatchObject({ kind: 'prune', state: 'succeeded', warnings: [] });
    expect((job.result as { images: string[] }).images).toEqual([expect.stringContaining('v1.33.1')]);
    expect(left()).toEqual(['v1.32.0', 'v1.34.4']);
  });

  it('leaves one that a cluster came to need after it was chosen', async () => {
    const id = await idOf('v1.33.1');
    expect((await usage()).find((entry) => entry.id === id)).toMatchObject({ removable: true });
    machine.kind.freezeAt('preparing-nodes');
    const creation = await requestCluster(app.client, 'late', { node_image_tag: 'v1.33.1' });
    const job = await prune([id]);
    expect([job.state, job.warnings]).toEqual([
      'succeeded',
      [expect.stringMatching(/v1\.33\.1 stays: late needs it\.$/)],
    ]);
    expect(left()).toContain('v1.33.1');
    machine.kind.thaw();
    expect((await jobEnded(app.client, creation)).state).toBe('succeeded');
  });

  it('looks once more before each: one that comes into use while another is removed stays', async () => {
    const ids = [await idOf('v1.33.1'), await idOf('v1.32.0')];
    const removals = atNextRemoval(() => useByOutside(image('v1.32.0')));
    const job = await prune(ids);
    expect([job.state, job.warnings]).toEqual([
      'succeeded',
      [expect.stringMatching(/v1\.32\.0 stays: late needs it\.$/)],
    ]);
    expect(left()).toEqual(['v1.32.0', 'v1.34.4']);
    // It was not even asked for.
    expect(removals.asked()).toBe(1);
  });

  it('is never forced: what comes into use between the last look and the removal stays', async () => {
    const id = await idOf('v1.33.1');
    atNextRemoval(() => useByOutside(image('v1.33.1')));
    const job = await prune([id]);
    expect([job.state, job.result]).toEqual(['succeeded', null]);
    expect(job.warnings).toEqual([expect.stringMatching(new RegExp(`v1\\.33\\.1 stays: ${name} keeps `))]);
    expect(left()).toContain('v1.33.1');
  });
});
