import type { NodeContainer, RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import { listenOn } from '../support/free-port.js';

interface Recording {
  driver: RuntimeDriver;
  nodes: readonly NodeContainer[];
  /** Names the situation that what follows is recorded as. */
  at: (situation: string) => void;
  placeholders: Map<string, string>;
}

/** Stops, starts, pauses and unpauses the nodes of a cluster, each also where it is so already. */
export async function recordLifecycle({ driver, nodes, at, placeholders }: Recording): Promise<void> {
  const named = (role: NodeContainer['role']): NodeContainer => {
    const node = nodes.find((candidate) => candidate.role === role);
    if (!node) throw new Error(`there is no ${role}`);
    return node;
  };
  const controlPlane = named('control-plane').name;
  const worker = named('worker').name;
  const policies = driver.info().capabilities.restartPolicies;

  at('stopping');
  const [api] = named('control-plane').ports;
  if (!api) throw new Error('the control plane publishes no port');
  placeholders.set(`:${api.hostPort}`, ':{port}');
  if (policies) for (const name of [worker, controlPlane]) await driver.setRestartPolicy(name, 'no');
  await driver.stopNode(worker, 30);
  await driver.stopNode(controlPlane, 30);
  at('stopped');
  await driver.listNodes();
  await driver.stopNode(worker, 30);
  await refused(driver.pauseNode(worker));
  await refused(driver.unpauseNode(worker));

  at('starting-at-a-taken-port');
  const taken = await listenOn(api.hostPort);
  await refused(driver.startNode(controlPlane));
  await new Promise((resolve) => taken.close(resolve));

  at('starting');
  for (const name of [controlPlane, worker]) {
    await driver.startNode(name);
    if (policies) await driver.setRestartPolicy(name, 'on-failure');
  }
  at('started');
  await driver.listNodes();
  await driver.startNode(worker);

  at('pausing');
  await driver.pauseNode(worker);
  at('paused');
  await driver.listNodes();
  await driver.pauseNode(worker);
  await refused(driver.startNode(worker));
  at('unpausing');
  await driver.unpauseNode(worker);
  at('unpaused');
  await driver.unpauseNode(worker);

  if (driver.info().capabilities.fixedAddresses) await recordAddresses({ driver, nodes, at, placeholders });

  at('changing-what-is-not-there');
  await refused(driver.startNode('not-there'));
  await refused(driver.pauseNode('not-there'));
  await refused(driver.unpauseNode('not-there'));
  await refused(driver.stopNode('not-there', 30));
  await refused(driver.fixAddress('not-there', null));
  if (policies) await refused(driver.setRestartPolicy('not-there', 'no'));
}

/** Binds a node to its address, and to one that another node has. */
async function recordAddresses({ driver, nodes, at, placeholders }: Recording): Promise<void> {
  at('stopping-for-an-address');
  const present = (await driver.listNodes()).filter(({ id }) => nodes.some((node) => node.id === id));
  const [worker, other] = (['worker', 'control-plane'] as const).map((role) =>
    present.find((node) => node.role === role),
  );
  if (!worker?.address || !other?.address) throw new Error('they have no addresses');
  const [own, taken] = [worker.address, other.address];
  placeholders.set(own, '{worker.address}').set(taken, '{control-plane.address}');
  await driver.stopNode(worker.name, 30);
  at('fixing-a-taken-address');
  await driver.fixAddress(worker.name, taken);
  at('starting-at-a-taken-address');
  await refused(driver.startNode(worker.name));
  at('fixing-any-address');
  await driver.fixAddress(worker.name, null);
  at('fixing-an-address');
  await driver.fixAddress(worker.name, own);
  at('starting-at-its-address');
  await driver.startNode(worker.name);
  const holder = await driver.holderOf(taken);
  if (holder !== other.name) throw new Error(`${taken} is said to be ${holder}'s`);
}

async function refused(change: Promise<void>): Promise<void> {
  const outcome = await change.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );
  if (outcome !== 'node_unchanged') throw new Error(`it was not refused: ${outcome}`);
}
