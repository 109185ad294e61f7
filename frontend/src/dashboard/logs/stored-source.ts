import type { LogSourceDto } from '../../shared/api/api-types';
import type { PodLogAddress, WorkloadLogAddress } from './pod-log-reader';

/**
 * Whether a stored source belongs to a log.
 * @param pods names of the Pods that the server has counted to the workload
 */
export function isOf(
  source: LogSourceDto,
  address: PodLogAddress | WorkloadLogAddress,
  pods: ReadonlySet<string> = new Set(),
): boolean {
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
  const { workload } = address;
  const isOwn = workload === source.workload || isOfPart(source, workload) || isRun(source, workload);
  return source.role !== 'init' && (isOwn || pods.has(source.name));
}

/** Of ReplicaSets and Jobs with an owner: the log board groups their Pods by the owner. */
const OWNERS: Readonly<Record<string, string>> = { ReplicaSet: 'Deployment', Job: 'CronJob' };
/** The end of the name of a Pod, which follows that of its ReplicaSet or Job, also of an indexed one. */
const POD_SUFFIX = /^-(?:\d+-)?[a-z0-9]{5}$/;

/** The server names the Job of a CronJob if it was created much later than its name says. */
function isRun({ workload }: LogSourceDto, cronJob: string): boolean {
  const [, name] = /^Job\/(.+)-\d{8,10}$/.exec(workload ?? '') ?? [];
  return name !== undefined && cronJob === `CronJob/${name}`;
}

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
