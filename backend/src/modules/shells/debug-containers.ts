import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, hasCode } from '../../core/errors/index.js';
import {
  PODS,
  specOf,
  statusOf,
  type ContainerState,
  type KubernetesObject,
  type PodName,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import { debugContexts } from './debug-security.js';
import { IDLE_COMMAND } from './shell-command.js';

/** Of the names of debug containers. */
const PREFIX = 'debugger-';
/** Time to pull a small image. */
const START_MS = 90_000;
const POLL_MS = 400;
/** Reasons of a container that is still starting. All others need the user. */
const STARTING = new Set(['ContainerCreating', 'PodInitializing', '']);

export interface DebugContainer {
  pod: PodName;
  image: string;
  /** The container that is debugged. */
  target: string;
  /** Whether it runs, so that its processes are visible. */
  isRunning: boolean;
}

/**
 * Adds an ephemeral container that waits until it is ended. It cannot be removed from the Pod, so the server checks it
 * before, and one of the same image that still waits to start is used.
 * @returns its name
 * @throws DomainError `resource_forbidden`, `resource_refused` with the reason of the server
 */
export async function addDebugContainer(
  api: ResourceApi,
  { pod, image, target, isRunning }: DebugContainer,
): Promise<string> {
  const reference = { ...PODS, ...pod };
  const object = await api.read(reference);
  refuseWithoutNode(object);
  const waiting = specOf(object).ephemeralContainers?.find(
    (container) =>
      container.image === image &&
      container.name.startsWith(PREFIX) &&
      stateOf(object, container.name).waiting,
  );
  if (waiting) return waiting.name;
  const name = `${PREFIX}${randomBytes(3).toString('hex')}`;
  const container = {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: IDLE_COMMAND,
    targetContainerName: isRunning ? target : undefined,
  };
  const add = async (securityContext: object, dryRun: boolean): Promise<void> => {
    const change = { spec: { ephemeralContainers: [{ ...container, securityContext }] } };
    await api.patch(reference, 'strategic-merge', change, { subresource: 'ephemeralcontainers', dryRun });
  };
  const [traces = {}, strict = {}] = debugContexts(object, target);
  const chosen = await add(traces, true).then(
    () => traces,
    async (error: unknown) => {
      // The Pod Security Standards of the namespace, or another policy, may forbid the capability.
      if (!hasCode(error, 'resource_forbidden', 'resource_refused')) throw error;
      await add(strict, true);
      return strict;
    },
  );
  await add(chosen, false);
  return name;
}

/** @throws DomainError `resource_refused` for a Pod whose node starts no containers */
function refuseWithoutNode(pod: KubernetesObject): void {
  const { phase = '' } = statusOf(pod);
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  if (!hasEnded && specOf(pod).nodeName !== undefined) return;
  throw new DomainError(
    'resource_refused',
    `Could not start a debug container. Pod ${pod.metadata.name} ${hasEnded ? `has ended (${phase})` : 'is not on a node yet'}, so no container of it starts.`,
  );
}

/** Waits until it runs. @throws DomainError `resource_refused` if it does not start */
export async function waitForContainer(
  api: ResourceApi,
  { pod, image }: DebugContainer,
  name: string,
): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const { running, waiting, terminated } = stateOf(await api.read({ ...PODS, ...pod }), name);
    if (running) return;
    const { reason = '', message = '' } = terminated ?? waiting ?? {};
    if (terminated || !STARTING.has(reason)) throw notStarted(image, reason, message);
    if (performance.now() > deadline) throw notStarted(image, 'it took longer than 90 s', '');
    await delay(POLL_MS);
  }
}

function stateOf(pod: KubernetesObject, name: string): ContainerState {
  const { ephemeralContainerStatuses = [] } = statusOf(pod);
  return ephemeralContainerStatuses.find((container) => container.name === name)?.state ?? {};
}

function notStarted(image: string, reason: string, message: string): DomainError {
  const why = [reason, message.trim().slice(0, 500)].filter((part) => part !== '').join(': ');
  return new DomainError(
    'resource_refused',
    `The debug container with the image ${image} did not start: ${why.replace(/\.$/, '')}. Choose an image with a shell that the nodes have or can pull.`,
  );
}
