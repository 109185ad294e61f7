import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { DataDirectory } from '../../backend/src/core/storage/data-directory.js';
import { DemoRuntimeDriver } from '../../backend/src/drivers/demo/demo-runtime-driver.js';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import { planNodes } from '../support/programs/planned-nodes.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { waitFor } from '../support/wait-for.js';
import { runtimeDriverContract } from './ports/runtime-driver.contract.js';
import type { RuntimeUnderTest } from './ports/runtime-under-test.js';
import { driverOf } from './support/drivers.js';

const REPOSITORY = 'docker.io/kindest/node';
const LIST_IMAGES = { command: ['crictl', 'images', '--output=json'], says: /registry\.k8s\.io\/pause/ };

describe('the demo', () => {
  runtimeDriverContract(startDemo);
});

describe.each(['docker', 'podman'] as const)('scripted %s', (engine) => {
  runtimeDriverContract(() => startScripted(engine));
});

async function startDemo(): Promise<RuntimeUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const configuration = readConfiguration({
    APP_DATA_DIR: folder,
    APP_DEMO_SPEED: '1000',
  });
  const world = new DemoWorld(configuration, DataDirectory.open(configuration));
  return {
    driver: new DemoRuntimeDriver(world),
    makeCluster: async (cluster) => {
      const image = `${REPOSITORY}:v1.34.4`;
      const port = { hostAddress: '127.0.0.1', hostPort: 40_000, containerPort: 6443, protocol: 'TCP' };
      await world.addNode({
        name: `${cluster}-control-plane`,
        cluster,
        role: 'control-plane',
        image,
        ports: [port],
        mounts: [
          {
            hostPath: '/srv/contract',
            containerPath: '/contract',
            readOnly: true,
            propagation: 'private',
            relabelled: false,
          },
        ],
        files: { '/kind/version': 'v1.34.4' },
      });
      await world.addNode({ name: `${cluster}-worker`, cluster, role: 'worker', image, ports: [] });
    },
    hostPath: '/srv/contract',
    repository: REPOSITORY,
    presentImage: `${REPOSITORY}:v1.34.4`,
    pullableImage: `${REPOSITORY}:v1.36.1`,
    missingImage: `${REPOSITORY}:v0.0.1`,
    builtImage: 'shop/web:1.4.0',
    spareImage: `${REPOSITORY}:v1.33.1`,
    useSpareImage: async () => {
      const name = 'another-worker';
      const image = `${REPOSITORY}:v1.33.1`;
      await world.addNode({ name, cluster: 'another', role: 'worker', image, ports: [] });
      return () => world.removeNodes(world.nodesOf('another').map(({ id }) => id));
    },
    spareVolume: world.orphanedVolumes[0] ?? '',
    program: LIST_IMAGES,
    restartPolicyOf: (name) =>
      Promise.resolve(world.node(name).restartPolicy === 'on-failure' ? 'on-failure:1' : 'no'),
    stop: () => rm(folder, { recursive: true }),
  };
}

async function startScripted(engine: 'docker' | 'podman'): Promise<RuntimeUnderTest> {
  const machine = await ScriptedMachine.start({ engines: [engine] });
  const { world, pull } = machine.engine(engine);
  const missingImage = `${REPOSITORY}:v0.0.1`;
  pull.missing.add(missingImage);
  const builtImage = 'docker.io/shop/web:1.4.0';
  world.addBuiltImage(builtImage);
  return {
    driver: await driverOf(machine, engine),
    makeCluster: async (cluster) => {
      const isFollowed = (): boolean =>
        machine.engine(engine).requests.some((line) => line.includes(' /events'));
      await waitFor(isFollowed, 'a follower of the events');
      const image = `${REPOSITORY}:v1.34.4`;
      const mounts = [{ hostPath: '/srv/contract', containerPath: '/contract', readOnly: true }];
      const nodes = planNodes(engine, cluster, {
        nodes: [
          { role: 'control-plane', image, extraMounts: mounts },
          { role: 'worker', image },
        ],
      });
      for (const node of nodes) {
        const port = node.role === 'worker' ? null : 40_123;
        world.addNode({ ...node, cluster, port, volume: world.addVolume(node.name) });
      }
    },
    hostPath: '/srv/contract',
    repository: REPOSITORY,
    presentImage: `${REPOSITORY}:v1.34.4`,
    pullableImage: `${REPOSITORY}:v1.36.1`,
    missingImage,
    builtImage,
    spareImage: builtImage,
    useSpareImage: () => {
      const name = 'another-worker';
      const volume = world.addVolume(name);
      const node = world.addNode({
        name,
        cluster: 'another',
        role: 'worker',
        image: builtImage,
        port: null,
        volume,
      });
      return Promise.resolve(async () => world.remove(node));
    },
    spareVolume: world.addVolume('gone-worker'),
    program: LIST_IMAGES,
    restartPolicyOf: (name) => Promise.resolve(world.find(name)?.restartPolicy ?? ''),
    stop: () => machine.close(),
  };
}
