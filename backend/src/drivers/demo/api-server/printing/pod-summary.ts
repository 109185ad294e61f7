import type { Container, ContainerStatus, Pod } from '../shapes.js';
import { humanDuration } from './durations.js';

export function podReady({ spec, status }: Pod): string {
  const ready =
    (status?.containerStatuses ?? []).filter((one) => one.ready === true && one.state?.running).length +
    sidecars({ spec }).filter(({ name }) =>
      status?.initContainerStatuses?.some((one) => one.name === name && one.started === true),
    ).length;
  return `${ready}/${(spec?.containers?.length ?? 0) + sidecars({ spec }).length}`;
}

export function podRestarts({ status }: Pod, now: number): string {
  const containers = status?.containerStatuses ?? [];
  const restarts = containers.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const ends = containers.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  if (restarts === 0 || ends.length === 0) return String(restarts);
  return `${restarts} (${humanDuration(now - Math.max(...ends.map((end) => Date.parse(end))))} ago)`;
}

/** The reason of a container if one has any, otherwise the phase, as `kubectl get pods` shows it. */
export function podStatus({ metadata, status = {} }: Pod): string {
  const ended = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (metadata.deletionTimestamp !== undefined && !ended) return 'Terminating';
  const reasons = (status.containerStatuses ?? []).flatMap((container) => containerReason(container) ?? []);
  const running = status.containerStatuses?.some(({ state }) => state?.running) === true;
  const [first] = reasons;
  if (first === 'Completed' && running) return 'Running';
  return first ?? status.reason ?? status.phase ?? '';
}

function containerReason({ state = {} }: ContainerStatus): string | undefined {
  return state.waiting?.reason ?? state.terminated?.reason;
}

/** Init containers that run as long as their pod; they count like its other containers. */
function sidecars({ spec }: Pick<Pod, 'spec'>): Container[] {
  return (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
}
