import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, hasCode } from '../../core/errors/index.js';
import {
  PODS,
  statusOf,
  type ContainerState,
  type KubernetesObject,
  type PodName,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import { IDLE_COMMAND } from './shell-command.js';

/** Opens the files of a target that runs as another user, at `/proc/1/root`. `kubectl debug` adds it, too. */
const TRACE = 'SYS_PTRACE';
/** Time to pull a small image. */
const START_MS = 90_000;
const POLL_MS = 400;
/** Reasons of a container that is still starting. All others need the user. */
const STARTING = new Set(['ContainerCreating', 'PodInitializing', '']);

export interface DebugContainer {
  pod: PodName;
  image: string;
  /** The container whose processes are visible; null for none, since it does not run. */
  target: string | null;
}

/**
 * Adds an ephemeral container that waits until it is ended. It cannot be removed from the Pod.
 * @returns its name
 */
export async function addDebugContainer(
  api: ResourceApi,
  { pod, image, target }: DebugContainer,
): Promise<string> {
  const name = `debugger-${randomBytes(3).toString('hex')}`;
  const container = {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: IDLE_COMMAND,
    targetContainerName: target ?? undefined,
  };
  const add = (more: object): Promise<unknown> =>
    api.patch(
      { ...PODS, ...pod },
      'strategic-merge',
      { spec: { ephemeralContainers: [{ ...container, ...more }] } },
      { subresource: 'ephemeralcontainers' },
    );
  try {
    await add({ securityContext: { capabilities: { add: [TRACE] } } });
  } catch (error) {
    // The Pod Security Standards of the namespace may forbid it.
    if (!hasCode(error, 'resource_forbidden')) throw error;
    await add({});
  }
  return name;
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
