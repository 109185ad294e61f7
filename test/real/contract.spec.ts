import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { ApiServerGateway } from '../../backend/src/drivers/kubernetes/api-server-gateway.js';
import { ClusterKubeconfig } from '../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';
import { LocalProcessRunner } from '../../backend/src/drivers/process/local-process-runner.js';
import { KindProvisioner } from '../../backend/src/drivers/provisioner/kind/kind-provisioner.js';
import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import {
  clusterProvisionerContract,
  type ProvisionerUnderTest,
} from '../contract/ports/cluster-provisioner.contract.js';
import {
  kubernetesGatewayContract,
  type GatewayUnderTest,
} from '../contract/ports/kubernetes-gateway.contract.js';
import {
  containerLogsContract,
  engineLogsContract,
  type ContainerLogsUnderTest,
  type WrittenContainers,
} from '../contract/ports/container-logs.contract.js';
import { podLogsContract } from '../contract/ports/pod-logs.contract.js';
import { resourceApiContract } from '../contract/ports/resource-api.contract.js';
import { runtimeDriverContract } from '../contract/ports/runtime-driver.contract.js';
import type { RuntimeUnderTest } from '../contract/ports/runtime-under-test.js';
import { discoveryOn } from '../contract/support/drivers.js';
import { PodmanService } from '../support/registry/podman-service.js';
import { serveRandomImage } from '../support/registry/random-image.js';
import { RegistryServer } from '../support/registry/registry-server.js';
import type { RealEngine } from '../transcripts/record-engine.js';
import { patient } from '../support/patient.js';
import { waitFor } from '../support/wait-for.js';
import { realEngines } from './real-engines.js';
import { removeCluster } from '../support/runtime/remove-cluster.js';

const execute = promisify(execFile);
const DEADLINE_MS = 180_000;
/** Has a shell; nodes that lack it pull it. */
const POD_IMAGE = 'busybox:1.36';
/** A patch that kubeadm rejects. */
const INVALID_PATCH =
  'kubeadmConfigPatches:\n- |\n  kind: ClusterConfiguration\n  kubernetesVersion: nonsense\n';

// Long enough for a busy machine.
jest.setTimeout(DEADLINE_MS);

/** The contracts of test/contract with real engines. */
describe.each(realEngines())('real $engine', (real) => {
  describe('the runtime', () => {
    runtimeDriverContract(() => startRuntime(real), DEADLINE_MS);
  });

  describe('container logs', () => {
    containerLogsContract(() => startLogs(real), DEADLINE_MS);
    engineLogsContract(() => startWritten(real), DEADLINE_MS);
  });

  describe('kind', () => {
    clusterProvisionerContract(() => startKind(real), DEADLINE_MS);
  });

  describe('the API server of a cluster', () => {
    // All contracts share one cluster. The last one deletes it.
    let cluster: Promise<GatewayUnderTest> | undefined;
    const start = (): Promise<GatewayUnderTest> => (cluster ??= startCluster(real));

    describe('resources', () => {
      resourceApiContract(
        async () => {
          const { gateway, target } = await start();
          return {
            resources: await gateway.resources(target),
            stop: () => Promise.resolve(),
          };
        },
        { deadlineMs: DEADLINE_MS, isRealServer: true },
      );
    });

    it('forwards a port of a Pod, and reports a port without a listener', async () => {
      const { gateway, target } = await start();
      const isReady = async (): Promise<boolean> => (await gateway.readiness(target)).dnsReady === true;
      await waitFor(isReady, 'the DNS', DEADLINE_MS / 2);
      const api = await gateway.resources(target);
      const dns = { namespace: 'kube-system', labelSelector: 'k8s-app=kube-dns' };
      const { rows } = await api.table({ group: '', version: 'v1', plural: 'pods' }, dns);
      const ready = rows.find(({ cells }) => cells[1] === '1/1');
      const pod = { namespace: 'kube-system', name: ready?.name ?? '' };
      const metrics = await api.forwardPort(pod, 9153);
      metrics.end('GET /metrics HTTP/1.0\r\n\r\n');
      expect(await text(metrics)).toMatch(/^HTTP\/1\.0 200 OK[^]*coredns_build_info/);
      const nothing = await api.forwardPort(pod, 9);
      await expect(text(nothing)).rejects.toThrow('no program listens on this port of the Pod');
    });

    describe('Pod logs', () => {
      podLogsContract(async () => {
        const { gateway, target } = await start();
        return {
          logs: await gateway.podLogs(target),
          resources: await gateway.resources(target),
          image: POD_IMAGE,
          stop: () => Promise.resolve(),
        };
      }, DEADLINE_MS);
    });

    describe('readiness', () => {
      kubernetesGatewayContract(start, DEADLINE_MS);
    });
  });
});

async function driverOf({ engine }: RealEngine, more: Record<string, string> = {}): Promise<RuntimeDriver> {
  const configuration = readConfiguration({ ...process.env, ...more });
  const { driver, reason } = await discoveryOn(configuration).find(engine);
  if (!driver) {
    throw new Error(`${engine} (APP_TEST_ENGINES) is not available: ${reason ?? 'no response'}`);
  }
  return patient(driver);
}

/** Containers with the labels of kind, which start faster than a real cluster. */
async function startRuntime(real: RealEngine): Promise<RuntimeUnderTest> {
  const { engine, nodeImage } = real;
  const folder = await mkdtemp(join(tmpdir(), 'runtime-'));
  const registry = await RegistryServer.start();
  const pullableImage = serveRandomImage(registry, {
    layers: 2,
    layerBytes: 2_000_000,
    bytesPerSecond: 600_000,
  });
  const service = engine === 'podman' ? await PodmanService.start(folder, registry.address) : undefined;
  const driver = await driverOf(real, service ? { APP_PODMAN_SOCKET: service.socket } : {});
  const socket = service?.socket ?? real.socket;
  const cli = async (...args: string[]): Promise<string> => {
    const remote = engine === 'podman' ? ['--remote', `--url=unix://${socket}`] : [`--host=unix://${socket}`];
    return (await execute(engine, [...remote, ...args])).stdout.trim();
  };
  const builtImage = 'localhost/slipway-contract/built:v1';
  await writeFile(join(folder, 'hello'), 'hello');
  await execute('tar', ['-cf', join(folder, 'root.tar'), '-C', folder, 'hello']);
  await cli('import', join(folder, 'root.tar'), builtImage);
  return {
    driver,
    makeCluster: async (cluster) => {
      for (const role of ['control-plane', 'worker']) {
        const name = `${cluster}-${role}`;
        const volume =
          engine === 'podman' ? `${await cli('volume', 'create', '--label', `${name}=true`)}:/var` : '/var';
        await cli(
          'run',
          '--detach',
          `--name=${name}`,
          `--label=io.x-k8s.kind.cluster=${cluster}`,
          `--label=io.x-k8s.kind.role=${role}`,
          `--volume=${volume}`,
          ...(role === 'control-plane'
            ? ['--publish=127.0.0.1::6443', `--volume=${folder}:/contract:ro`]
            : []),
          // Like kind.
          ...(engine === 'docker' ? ['--restart=on-failure:1'] : []),
          '--entrypoint=/bin/sh',
          nodeImage,
          '-c',
          // 37 is SIGRTMIN+3, the stop signal of the node image.
          'trap "exit 130" 37 15; while :; do sleep 0.05; done',
        );
      }
    },
    hostPath: folder,
    repository: 'docker.io/kindest/node',
    presentImage: nodeImage,
    pullableImage,
    missingImage: pullableImage.replace(/:v1$/, ':v2'),
    builtImage,
    spareImage: builtImage,
    useSpareImage: async () => {
      await cli('create', '--name=slipway-contract-user', builtImage, '/hello');
      return () => cli('rm', 'slipway-contract-user');
    },
    spareVolume: await cli('volume', 'create'),
    program: { command: ['cat', '/kind/version'], says: /^v\d+\.\d+\.\d+/ },
    restartPolicyOf: async (name) => {
      const format = '{{.HostConfig.RestartPolicy.Name}}:{{.HostConfig.RestartPolicy.MaximumRetryCount}}';
      const [policy = '', retries = '0'] = (await cli('inspect', '--format', format, name)).split(':');
      return retries === '0' ? policy || 'no' : `${policy}:${retries}`;
    },
    stop: async () => {
      await removeCluster(driver, 'contract');
      await cli('image', 'rm', '--force', pullableImage, builtImage).catch(() => undefined);
      await service?.stop();
      await registry.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function cliOf({ engine, socket }: RealEngine): (...args: string[]) => Promise<string> {
  const remote = engine === 'podman' ? ['--remote', `--url=unix://${socket}`] : [`--host=unix://${socket}`];
  return async (...args) => (await execute(engine, [...remote, ...args])).stdout.trim();
}

/** A shell in the node image that prints lines and then waits for a signal. */
async function startLogs(real: RealEngine): Promise<ContainerLogsUnderTest> {
  const cli = cliOf(real);
  const driver = await driverOf(real);
  await driver.probe();
  const script = 'trap "exit 0" 15 37; echo one; echo two >&2; echo three; while :; do sleep 0.05; done';
  const name = 'contract-logs-worker';
  // No other process in the container has this name.
  const program = [
    'sh',
    '-c',
    'while :; do echo "said by contract-program"; sleep 0.1; done',
    'contract-program',
  ];
  return {
    logs: driver.logs,
    start: async (called) => {
      await cli('run', '--detach', `--name=${called}`, '--entrypoint=/bin/sh', real.nodeImage, '-c', script);
      return {
        id: await cli('inspect', '--format', '{{.Id}}', called),
        end: () => cli('stop', called),
        remove: () => cli('rm', '--force', called),
      };
    },
    program: {
      command: program,
      says: /^said by contract-program$/,
      isRunning: async (id) => (await cli('top', id)).includes('contract-program'),
    },
    stop: () => cli('rm', '--force', name).catch(() => undefined),
  };
}

async function startWritten(real: RealEngine): Promise<WrittenContainers> {
  const cli = cliOf(real);
  const driver = await driverOf(real);
  await driver.probe();
  const names: string[] = [];
  const run = async (kind: string, script: string, ...more: string[]): Promise<string> => {
    const name = `contract-written-${kind}`;
    names.push(name);
    const image = ['--entrypoint=/bin/sh', real.nodeImage, '-c', script];
    await cli('run', '--detach', `--name=${name}`, ...more, ...image);
    await cli('wait', name);
    return await cli('inspect', '--format', '{{.Id}}', name);
  };
  return {
    logs: driver.logs,
    long: await run('long', "head -c 40000 /dev/zero | tr '\\0' x; echo; echo after"),
    mixed: await run('mixed', "printf 'out \\303\\251\\342\\202\\254\\n'; echo err >&2"),
    terminal: await run('terminal', 'echo one; sleep 0.3; echo two', '--tty'),
    longTerminal: await run(
      'long-terminal',
      "head -c 40000 /dev/zero | tr '\\0' x; echo; echo after",
      '--tty',
    ),
    none: await run('none', 'echo nothing', '--log-driver=none'),
    stop: () => cli('rm', '--force', ...names),
  };
}

async function startKind(real: RealEngine): Promise<ProvisionerUnderTest> {
  const runtime = await driverOf(real);
  return {
    provisioner: new KindProvisioner(new LocalProcessRunner(readConfiguration(process.env))),
    runtime,
    image: real.nodeImage,
    failing: async (create) => {
      await expect(create({ extra: INVALID_PATCH })).rejects.toMatchObject({
        failure: 'failed',
        exitCode: 1,
        message: expect.stringContaining('nonsense'),
      });
    },
    refusesTakenNames: true,
    stop: async () => {
      await removeCluster(runtime, 'contract');
    },
  };
}

async function startCluster(real: RealEngine): Promise<GatewayUnderTest> {
  const name = 'contract-api';
  const runtime = await driverOf(real);
  const provisioner = new KindProvisioner(new LocalProcessRunner(readConfiguration(process.env)));
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  const configFile = join(folder, 'cluster.yaml');
  const kubeconfigFile = join(folder, 'kubeconfig');
  const node = (role: string): string => `- role: ${role}\n  image: ${real.nodeImage}\n`;
  await writeFile(
    configFile,
    `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n${node('control-plane')}${node('worker')}`,
  );
  await provisioner.create({
    name,
    configFile,
    kubeconfigFile,
    runtime,
    shape: { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false },
    onStep: () => undefined,
    tracking: {},
  });
  return {
    gateway: new ApiServerGateway(),
    target: {
      name,
      runtime: runtime.id,
      kubeconfig: ClusterKubeconfig.parse(await readFile(kubeconfigFile, 'utf8')),
    },
    break: () => removeCluster(runtime, name),
    stop: async () => {
      await removeCluster(runtime, name);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
