import { mkdir, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { LocalProcessRunner } from '../../backend/src/drivers/process/local-process-runner.js';
import { KindProvisioner } from '../../backend/src/drivers/provisioner/kind/kind-provisioner.js';
import { DockerRuntimeDriver } from '../../backend/src/drivers/runtime/docker-runtime-driver.js';
import { EngineConnection } from '../../backend/src/drivers/runtime/engine/engine-connection.js';
import { type NodeEvent, type RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import { PodmanRuntimeDriver } from '../../backend/src/drivers/runtime/podman-runtime-driver.js';
import { listenOn } from '../support/free-port.js';
import { patient } from '../support/patient.js';
import { PodmanService } from '../support/registry/podman-service.js';
import { serveRandomImage } from '../support/registry/random-image.js';
import { RegistryServer } from '../support/registry/registry-server.js';
import { waitFor } from '../support/wait-for.js';
import { normaliseExchange, normaliseRun } from './normalise.js';
import { recordLifecycle } from './record-lifecycle.js';
import { RecordingProxy } from './recording-proxy.js';
import { RecordingRunner } from './recording-runner.js';
import type { EngineName, Transcript } from './transcript.js';
import { removeCluster } from '../support/runtime/remove-cluster.js';

const CLUSTER = 'rec-slipway';
const ABSENT_IMAGE = 'docker.io/kindest/node:v0.0.1';

export interface RealEngine {
  engine: EngineName;
  socket: string;
  nodeImage: string;
}

/**
 * Drives a real engine and the real kind through all that the scripted ones know, and returns what they
 * said. Takes about a minute and a half, and leaves nothing behind.
 */
export async function recordEngine({ engine, socket, nodeImage }: RealEngine, folder: string): Promise<Transcript> {
  const runner = new RecordingRunner(new LocalProcessRunner(readConfiguration(process.env)));
  const kind = new KindProvisioner(runner);
  const proxy = await RecordingProxy.start(join(folder, `${engine}.sock`), socket);
  const driver = await openDriver(engine, proxy.socket, socket);
  const at = (situation: string): void => {
    proxy.situation = situation;
    runner.situation = situation;
  };
  const paths = await writeConfigs(folder, nodeImage);
  const kubeconfig = join(folder, 'kubeconfig');
  const events: NodeEvent[] = [];
  const following = new AbortController();
  const placeholders = new Map<string, string>();
  const create = (situation: string, configFile: string): Promise<Error | undefined> => {
    at(situation);
    return kind
      .create({
        name: CLUSTER,
        configFile,
        kubeconfigFile: kubeconfig,
        runtime: driver,
        shape: { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false },
        onStep: () => undefined,
        tracking: {},
      })
      .then(
        () => undefined,
        (error: unknown) => error as Error,
      );
  };
  const remove = (): Promise<void> => removeCluster(driver, CLUSTER);

  try {
    at('idle');
    await driver.ping();
    const info = await driver.probe();
    const { version: kindVersion } = await kind.status();
    if (await driver.hasImage(ABSENT_IMAGE)) throw new Error(`${ABSENT_IMAGE} is not absent here`);
    if (!(await driver.hasImage(nodeImage))) throw new Error(`${nodeImage} must be in ${engine} beforehand`);
    await driver.listImages('docker.io/kindest/node');
    await driver.objectsOf(CLUSTER);
    const absent = '0'.repeat(64);
    placeholders.set(absent, '{absent}');
    await driver.sample([absent]);
    at('kubeconfig-of-nothing');
    await kind.kubeconfig(CLUSTER, driver).catch(() => undefined);

    at('creating');
    const follow = driver.followEvents((event) => events.push(event), following.signal).catch(() => undefined);
    const failure = await create('creating', paths.good);
    if (failure) throw failure;
    at('running');
    const nodes = (await driver.listNodes()).filter((node) => node.cluster === CLUSTER);
    for (const node of nodes) {
      placeholders.set(node.id, `{${node.role}.id}`);
      placeholders.set(node.address ?? '', `{${node.role}.address}`);
    }
    await driver.sample(nodes.map(({ id }) => id));
    await driver.inspectNodes(CLUSTER);
    for (const { id } of nodes) await driver.readNodeFile(id, '/kind/kubeadm.conf', 100_000);
    await driver.readNodeFile(`${CLUSTER}-control-plane`, '/kind/version', 100);
    await driver.readNodeFile(`${CLUSTER}-control-plane`, '/kind/absent', 100);
    const volumes = namesOf((await driver.objectsOf(CLUSTER)).volumes);
    await kind.kubeconfig(CLUSTER, driver);
    await create('creating-what-exists', paths.good);

    await recordLifecycle({ driver, nodes, at, placeholders });

    at('worker-killed');
    const worker = nodes.find(({ role }) => role === 'worker');
    await request(socket, 'POST', `/containers/${worker?.id ?? ''}/kill`);
    await waitFor(() => events.some(({ action }) => action === 'die'), 'the event of the killed worker');
    // One that has seen nothing yet asks about every node, whatever the events of before have made stale.
    await (await openDriver(engine, proxy.socket, socket)).listNodes();
    at('deleting');
    await remove();
    at('deleted');
    await driver.objectsOf(CLUSTER, volumes);

    await create('failing-at-a-port', await paths.withPortOf(await occupiedPort()));
    // Past the recording: which ids these have is chance.
    await removeCluster(await openDriver(engine, socket, socket), CLUSTER);
    await create('failing-in-kubeadm', paths.kubeadm);
    at('removing');
    for (const node of (await driver.listNodes()).filter(({ cluster }) => cluster === CLUSTER)) {
      placeholders.set(node.id, `{${node.role}.id}`);
      placeholders.set(node.address ?? '', `{${node.role}.address}`);
    }
    const left = namesOf((await driver.objectsOf(CLUSTER)).volumes);
    await remove();
    at('removed');
    await driver.objectsOf(CLUSTER, left);
    following.abort();
    await follow;
    await recordPulls(engine, proxy, folder, placeholders);

    [...new Set([...volumes, ...left])].forEach((volume, index) =>
      placeholders.set(volume, `{volume.${index}}`),
    );
    placeholders.set(CLUSTER, '{cluster}');
    placeholders.set(folder, '{folder}');
    placeholders.set(`docker.io/${nodeImage}`, '{image}');
    placeholders.set(nodeImage, '{image}');
    placeholders.set(socket, '{socket}');
    const known = { placeholders, cluster: CLUSTER };
    return {
      engine,
      recorded: { engine: info.version, kind: kindVersion ?? '' },
      exchanges: unique(proxy.exchanges.map((exchange) => normaliseExchange(exchange, known))),
      kind: runner.runs.map((run) => normaliseRun(run, known)),
    };
  } finally {
    following.abort();
    await remove();
    await proxy.stop();
    for (const closer of closers.splice(0)) await closer();
  }
}

function namesOf(objects: readonly { name: string }[]): string[] {
  return objects.map(({ name }) => name);
}

/** Resources that a recording started and must end. */
const closers: (() => Promise<void>)[] = [];

export async function openDriver(engine: EngineName, proxied: string, socket: string): Promise<RuntimeDriver> {
  const connection = await EngineConnection.open(engine, { type: 'socket', path: proxied });
  const candidate = { engine, endpoint: { type: 'socket' as const, path: proxied }, source: 'recording' };
  const driver =
  engine === 'docker'
    ? new DockerRuntimeDriver(connection, { ...candidate, environment: { DOCKER_HOST: `unix://${socket}` } })
    : new PodmanRuntimeDriver(connection, { ...candidate, environment: {} });
  return patient(driver);
}

/** A pull that succeeds, and one of a tag that is not there, from a registry of our own. */
async function recordPulls(
  engine: EngineName,
  proxy: RecordingProxy,
  folder: string,
  placeholders: Map<string, string>,
): Promise<void> {
  const registry = await RegistryServer.start();
  const image = serveRandomImage(registry, { layers: 2, layerBytes: 3_000_000, bytesPerSecond: 500_000 });
  closers.push(() => registry.stop());
  placeholders.set(image, '{pulled}');
  placeholders.set(registry.address, '{registry}');
  let pulling = proxy;
  if (engine === 'podman') {
    // Podman asks every registry for TLS unless its configuration excepts it: a service of our own has one.
    const service = await PodmanService.start(folder, registry.address);
    closers.push(() => service.stop());
    pulling = await RecordingProxy.start(join(folder, 'podman-pull.sock'), service.socket);
    closers.push(() => pulling.stop());
  }
  const driver = await openDriver(engine, pulling.socket, pulling.socket);
  pulling.situation = 'pulling';
  await driver.pullImage(image, () => undefined, new AbortController().signal);
  pulling.situation = 'pulling-what-is-not-there';
  await driver
    .pullImage(image.replace(/:v1$/, ':v2'), () => undefined, new AbortController().signal)
    .catch(() => undefined);
  await request(pulling.socket, 'DELETE', `/images/${image}?force=true`);
  if (pulling !== proxy) proxy.exchanges.push(...pulling.exchanges);
  // The product does not remove the image.
  const ours = proxy.exchanges.filter(({ request: line }) => !line.startsWith('DELETE /images'));
  proxy.exchanges.splice(0, proxy.exchanges.length, ...ours);
}

interface Configs {
  good: string;
  kubeadm: string;
  withPortOf: (port: number) => Promise<string>;
}

async function writeConfigs(folder: string, image: string): Promise<Configs> {
  await mkdir(join(folder, 'configs'), { recursive: true });
  const write = async (name: string, extra: string, controlPlane = ''): Promise<string> => {
    const path = join(folder, 'configs', `${name}.yaml`);
    const text = `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: control-plane\n  image: ${image}\n${controlPlane}- role: worker\n  image: ${image}\n${extra}`;
    await writeFile(path, text);
    return path;
  };
  return {
    good: await write('good', ''),
    kubeadm: await write(
      'kubeadm',
      'kubeadmConfigPatches:\n- |\n  kind: ClusterConfiguration\n  kubernetesVersion: nonsense\n',
    ),
    withPortOf: (port) =>
      write(
        'port',
        '',
        `  extraPortMappings:\n  - containerPort: 80\n    hostPort: ${port}\n    listenAddress: 127.0.0.1\n`,
      ),
  };
}

async function occupiedPort(): Promise<number> {
  const server = await listenOn();
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

async function request(socketPath: string, method: string, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const outgoing = send({ socketPath, method, path }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The same question in the same situation once is enough. */
function unique<TEntry>(entries: TEntry[]): TEntry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify({ ...entry, body: null, stream: null });
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
