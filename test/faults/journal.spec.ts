import { describe, expect, it } from '@jest/globals';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import { createCluster, jobEnded, journalOf, requestCluster } from '../support/app/clusters.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const OUTSIDE = { kind: 'outside', user: 'outside' };

/** Adds a cluster that was created without Slipway. */
function addForeign(
  { machine }: ScriptedServer,
  cluster: string,
  engine: 'docker' | 'podman' = 'docker',
): void {
  const { world } = machine.engine(engine);
  const name = `${cluster}-control-plane`;
  const image = 'docker.io/kindest/node:v1.34.4';
  const role = 'control-plane';
  world.addNode({ name, cluster, role, image, port: null, volume: world.addVolume(name) });
}

async function entriesOf({ client }: ScriptedServer, kind: string, count = 1): Promise<JournalEntry[]> {
  let entries: JournalEntry[] = [];
  await waitFor(
    async () => (entries = await journalOf(client, `?kind=${kind}`)).length >= count,
    `${count} of ${kind}`,
  );
  return entries;
}

/** Longer than nodes take to be saved after an event. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1500));

describe('the journal', () => {
  it('records an engine that stops and comes back, and nothing for one that was never there', async () => {
    await withServer(async (server) => {
      const engine = server.machine.engine('docker');
      await engine.goAway();
      const [gone] = await entriesOf(server, 'engine-unavailable');
      expect(gone).toMatchObject({
        runtime: 'docker',
        cluster: null,
        outcome: 'failed',
        message: expect.stringMatching(/^docker stopped responding\. \S.*\.$/),
        actor: OUTSIDE,
      });
      await engine.comeBack();
      const [back] = await entriesOf(server, 'engine-available');
      expect(back).toMatchObject({
        runtime: 'docker',
        outcome: 'succeeded',
        message: expect.stringMatching(/^docker responds again after \d+ s\.$/),
        actor: OUTSIDE,
      });
      expect(await journalOf(server.client, '?kind=engine')).toHaveLength(2);
    });
  });

  it.each(['docker', 'podman'] as const)(
    'records a node of %s that ends because memory ran out',
    async (engine) => {
      await withServer(
        async (server) => {
          const { world } = server.machine.engine(engine);
          addForeign(server, 'full', engine);
          await waitFor(
            async () => (await journalOf(server.client, '?kind=node-started')).length > 0,
            'that events are followed',
          );
          for (let number = 0; number < 20; number += 1) world.runOutOfMemory('full-control-plane');
          world.kill('full-control-plane');
          const [entry] = await entriesOf(server, 'node-out-of-memory');
          expect(entry).toMatchObject({
            cluster: 'full',
            runtime: engine,
            subject: 'full-control-plane',
            outcome: 'failed',
            message: 'A process in full-control-plane was killed because memory ran out.',
            actor: OUTSIDE,
          });
          await entriesOf(server, 'node-stopped');
          expect(await journalOf(server.client, '?kind=node-out-of-memory')).toHaveLength(1);
        },
        { engines: [engine] },
      );
    },
  );

  it('records what changed while Slipway was not running once the engine responds', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'made');
      addForeign(server, 'foreign');
      await settle();
      await server.process.kill();
      const engine = server.machine.engine('docker');
      const { world } = engine;
      for (const node of world.nodesOf('foreign')) world.remove(node);
      for (const node of world.nodesOf('made')) world.stop(node);
      addForeign(server, 'new');
      await engine.goAway();
      await server.launchAgain();
      await settle();
      expect(await journalOf(server.client, '?kind=cluster-changed')).toEqual([]);
      await engine.comeBack();
      const entries = await entriesOf(server, 'cluster-changed', 3);
      expect(Object.fromEntries(entries.map(({ cluster, message }) => [cluster, message]))).toEqual({
        foreign: 'Deleted while Slipway was not running: foreign-control-plane.',
        made: 'Stopped while Slipway was not running: made-control-plane.',
        new: 'Created while Slipway was not running: new-control-plane.',
      });
      expect(entries.map(({ actor }) => actor?.kind)).toEqual(['outside', 'outside', 'outside']);
      await settle();
      await server.process.kill();
      await server.startAgain();
      await settle();
      expect(await journalOf(server.client, '?kind=cluster-changed')).toHaveLength(3);
    });
  });

  it('leaves the changes of a recovered job to its own entry', async () => {
    await withServer(async (server) => {
      addForeign(server, 'foreign');
      await settle();
      const { kind } = server.machine;
      kind.freezeAt('installing-cni');
      const id = await requestCluster(server.client, 'cut');
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      await settle();
      await server.process.kill();
      const { world } = server.machine.engine('docker');
      for (const node of world.nodesOf('foreign')) world.stop(node);
      await server.startAgain();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      expect(world.nodesOf('cut')).toEqual([]);
      expect(await entriesOf(server, 'cluster-changed')).toMatchObject([{ cluster: 'foreign' }]);
      await settle();
      expect(await journalOf(server.client, '?kind=cluster-changed')).toHaveLength(1);
    });
  });
});
