import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../core/errors/index.js';
import {
  PODS,
  statusOf,
  type ContainerStatus,
  type PodName,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';

/** A node reports the end of a container within about 2 s. */
const REPORT_MS = 4000;
const POLL_MS = 250;
/** Exit codes of a program that was ended by a signal that ends containers: HUP, KILL, TERM. */
const SIGNALED = [129, 137, 143];

/** Whether a program may have ended with its container. */
export function mayBeEndOfContainer(exitCode: number | null): boolean {
  return exitCode === null || SIGNALED.includes(exitCode);
}

/** Notices the end of one run of a container. */
export class ContainerEnd {
  private constructor(
    private readonly api: ResourceApi,
    private readonly pod: PodName,
    private readonly container: string,
    private readonly restarts: number,
  ) {}

  static async watch(api: ResourceApi, pod: PodName, container: string): Promise<ContainerEnd> {
    const status = await statusIn(api, pod, container);
    return new ContainerEnd(api, pod, container, status?.restartCount ?? 0);
  }

  /** @returns how it ended, as a part of a sentence; null if it still runs */
  async describe(withinMs = REPORT_MS): Promise<string | null> {
    const deadline = performance.now() + withinMs;
    let found: string | null = null;
    do {
      try {
        const status = await statusIn(this.api, this.pod, this.container);
        const { state, lastState, restartCount = 0 } = status ?? {};
        if (restartCount > this.restarts) return `the container restarted${endOf(lastState?.terminated)}`;
        // One that is not started again at once waits, such as in CrashLoopBackOff.
        const ended = state?.terminated ?? (state?.waiting && lastState?.terminated);
        if (ended) found = `the container ended${endOf(ended)}`;
      } catch (error) {
        return hasCode(error, 'resource_not_found') ? 'the Pod was deleted' : found;
      }
      await delay(POLL_MS);
    } while (performance.now() < deadline);
    return found;
  }
}

async function statusIn(
  api: ResourceApi,
  pod: PodName,
  container: string,
): Promise<ContainerStatus | undefined> {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = statusOf(await api.read({ ...PODS, ...pod }));
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    ({ name }) => name === container,
  );
}

function endOf(terminated: NonNullable<ContainerStatus['state']>['terminated']): string {
  const { reason, exitCode } = terminated ?? {};
  const parts = [
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(reason === undefined || reason === 'Error' ? [] : [reason]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
