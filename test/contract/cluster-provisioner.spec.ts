import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { DataDirectory } from '../../backend/src/core/storage/data-directory.js';
import { DemoProvisioner } from '../../backend/src/drivers/demo/demo-provisioner.js';
import { DemoRuntimeDriver } from '../../backend/src/drivers/demo/demo-runtime-driver.js';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import { LocalProcessRunner } from '../../backend/src/drivers/process/local-process-runner.js';
import { KindProvisioner } from '../../backend/src/drivers/provisioner/kind/kind-provisioner.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import type { EngineName } from '../transcripts/transcript.js';
import {
  clusterProvisionerContract,
  type ProvisionerUnderTest,
} from './ports/cluster-provisioner.contract.js';
import { configurationOf, driverOf } from './support/drivers.js';

const IMAGE = 'docker.io/kindest/node:v1.34.4';

describe('DemoProvisioner', () => {
  clusterProvisionerContract(startDemo);
});

describe.each(['docker', 'podman'] as const)('KindProvisioner with scripted kind on %s', (engine) => {
  clusterProvisionerContract(() => startScripted(engine));
});

describe('KindProvisioner', () => {
  let machine: ScriptedMachine;
  afterEach(() => machine.close());

  const statusOn = async (version?: string): ReturnType<KindProvisioner['status']> => {
    machine = await ScriptedMachine.start({ withoutKind: version === undefined });
    machine.kind.version = version;
    return await new KindProvisioner(new LocalProcessRunner(configurationOf(machine))).status();
  };

  it('reports a missing kind and its download page', async () => {
    expect(await statusOn()).toMatchObject({
      version: null,
      problem: {
        reason: 'kind is not installed. Slipway needs it to create clusters.',
        fix: expect.stringContaining('https://kind.sigs.k8s.io/'),
      },
    });
  });

  it('reports an outdated kind and the required version', async () => {
    expect(await statusOn('kind v0.11.1 go1.16.4 linux/amd64')).toMatchObject({
      version: '0.11.1',
      problem: { reason: 'kind 0.11.1 is too old: 0.20.0 or later is required.' },
    });
  });

  it('reports a kind without a version', async () => {
    expect((await statusOn('something else entirely')).problem?.reason).toMatch(
      /does not report its version/,
    );
  });

  it('accepts an unknown newer kind, with the newest known tag', async () => {
    expect(await statusOn('kind v0.99.0-alpha+abc go1.30 linux/amd64')).toMatchObject({
      version: '0.99.0-alpha+abc',
      problem: null,
      defaultTag: expect.stringMatching(/^v1\.37\.0@sha256:/) as unknown,
    });
  });

  it('rejects a creation without kind', async () => {
    machine = await ScriptedMachine.start({ withoutKind: true });
    const provisioner = new KindProvisioner(new LocalProcessRunner(configurationOf(machine)));
    await expect(
      provisioner.create({
        name: 'never',
        configFile: '/nowhere/cluster.yaml',
        kubeconfigFile: join(machine.folder, 'kubeconfig'),
        runtime: await driverOf(machine, 'docker'),
        shape: { controlPlanes: 1, workers: 0, withoutDefaultNetwork: false },
        onStep: () => undefined,
        tracking: {},
      }),
    ).rejects.toMatchObject({ code: 'provisioner_unavailable' });
  });
});

async function startScripted(engine: EngineName): Promise<ProvisionerUnderTest> {
  const machine = await ScriptedMachine.start({ engines: [engine] });
  return {
    provisioner: new KindProvisioner(new LocalProcessRunner(configurationOf(machine))),
    runtime: await driverOf(machine, engine),
    image: IMAGE,
    failing: async (create) => {
      machine.kind.failure = 'failing-in-kubeadm';
      await expect(create({ extra: '' })).rejects.toMatchObject({
        failure: 'failed',
        exitCode: 1,
        message: expect.stringContaining('version "nonsense"'),
      });
      machine.kind.failure = undefined;
    },
    refusesTakenNames: true,
    stop: () => machine.close(),
  };
}

async function startDemo(): Promise<ProvisionerUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const environment = { APP_DATA_DIR: folder, APP_DEMO_SPEED: '1000' };
  const configuration = readConfiguration(environment);
  const world = new DemoWorld(configuration, DataDirectory.open(configuration));
  const provisioner = new DemoProvisioner(world);
  const { demoFailures } = configuration.values;
  return {
    provisioner,
    runtime: new DemoRuntimeDriver(world),
    image: IMAGE,
    failing: async (create) => {
      demoFailures.push({ operation: 'create', step: 'joining-workers' });
      await expect(create({ extra: '' })).rejects.toMatchObject({ code: 'demo_failure' });
      demoFailures.pop();
    },
    refusesTakenNames: false,
    stop: () => rm(folder, { recursive: true }),
  };
}
