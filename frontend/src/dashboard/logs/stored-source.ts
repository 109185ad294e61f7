import type { LogSourceDto } from '../../shared/api/api-types';
import type { PodLogAddress, WorkloadLogAddress } from './pod-log-reader';

/** Whether a stored source belongs to a log. */
export function isOf(source: LogSourceDto, address: PodLogAddress | WorkloadLogAddress): boolean {
  const { key, namespace } = address;
  const isNear =
    source.kind === 'pod' &&
    source.cluster === key.name &&
    source.runtime === key.runtime &&
    source.namespace === namespace;
  if (!isNear) return false;
  if ('pod' in address) {
    // A previous instance is read as a whole.
    return !address.previous && source.name === address.pod && containerOf(source) === address.container;
  }
  const workloads = address.workload.split(',');
  return source.role !== 'init' && workloads.some((one) => one === source.workload || isOfPart(source, one));
}

/** Of ReplicaSets and Jobs with an owner: the log board groups their Pods by the owner. */
const OWNERS: Readonly<Record<string, string>> = { ReplicaSet: 'Deployment', Job: 'CronJob' };
/** The end of the name of a Pod, which follows that of its ReplicaSet or Job, also of an indexed one. */
const POD_SUFFIX = /^-(?:\d+-)?[a-z0-9]{5}$/;

function isOfPart({ name: pod, workload }: LogSourceDto, part: string): boolean {
  const [kind = '', name = ''] = part.split('/');
  const [owner, ownerName = ''] = workload?.split('/') ?? [];
  return (
    owner !== undefined &&
    owner === OWNERS[kind] &&
    name.startsWith(`${ownerName}-`) &&
    pod.startsWith(name) &&
    POD_SUFFIX.test(pod.slice(name.length))
  );
}

/** Of `pod/<runtime>/<cluster>/<uid>/<container>`. */
export function containerOf({ key }: LogSourceDto): string {
  return key.split('/')[4] ?? '';
}
