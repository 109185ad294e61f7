import type { LogSourceDto } from '../../../shared/api/api-types';
import type { Belongings, SourceChoice } from './belongings';

/** What one calls a source beside others of its cluster: pods by their workload and their last letters. */
export function sourceName(source: LogSourceDto): string {
  switch (source.kind) {
    case 'pod':
      return podName(source) + (source.previous === null ? '' : ', previous');
    case 'node':
      return `${nodeName(source)} ${source.service ?? 'journal'}`;
    case 'container':
      return source.cluster === null ? source.name : `${nodeName(source)} container`;
  }
}

/** All that tells it from any other, for a tooltip. */
export function fullName(source: LogSourceDto): string {
  const parts = [source.cluster, source.namespace, source.name, source.container, source.service];
  const name = parts.filter((part) => part !== null).join(' / ');
  return source.previous === null ? name : `${name}, before restart ${source.previous + 1}`;
}

/** `payments-api` of `Deployment/payments-api`. */
export function workloadName({ workload }: Pick<LogSourceDto, 'workload'>): string | null {
  return workload?.slice(workload.indexOf('/') + 1) ?? null;
}

/** A choice that outlives a source: what it runs for, or its name. Null where it is not replaced by others. */
export function lastingChoice(source: LogSourceDto): { words: string; choice: SourceChoice } | null {
  const { kind, runtime, cluster, namespace, workload, name } = source;
  if (kind === 'pod' && cluster !== null && namespace !== null && workload !== null) {
    const group = { runtime, cluster, namespace, workload };
    return { words: `Show ${workloadName(source) ?? workload} and its new pods`, choice: onlyGroup(group) };
  }
  if (kind !== 'container' || cluster !== null) return null;
  return { words: `Show ${name}, also recreated`, choice: onlyGroup({ runtime, container: name }) };
}

function onlyGroup(group: Belongings): SourceChoice {
  return { groups: [group], keys: [] };
}

function podName({ name, container, ...source }: LogSourceDto): string {
  const workload = workloadName(source);
  const isOfWorkload = workload !== null && name.startsWith(`${workload}-`);
  const pod = isOfWorkload ? `${workload} ${name.slice(name.lastIndexOf('-') + 1)}` : name;
  return container === null ? pod : `${pod} ${container}`;
}

function nodeName({ name, cluster }: LogSourceDto): string {
  return cluster !== null && name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : name;
}

const STATE_WORDS: Readonly<Record<LogSourceDto['state'], string>> = {
  live: '',
  waiting: 'waiting',
  ended: 'ended',
  gone: 'gone',
  failed: 'failed',
  left_out: 'left out',
};

/** In a word, with the reason where there is one; nothing for what is live. */
export function stateLabel({ state, reason }: Pick<LogSourceDto, 'state' | 'reason'>): string {
  const word = STATE_WORDS[state];
  // That somebody left it out is all that there is to say of it.
  return reason === null || state === 'live' || state === 'left_out' ? word : `${word}: ${reason}`;
}
