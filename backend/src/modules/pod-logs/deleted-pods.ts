import type { LogLine, StoredLogs } from '../../drivers/log-store/index.js';

/** The newest ones. */
const MAX_LOGS = 20;

export interface Workload {
  cluster: string;
  /** Undefined for any. */
  runtime: string | undefined;
  namespace: string;
  /** When the cluster was created: an earlier one may have had its name. Microseconds since the epoch. */
  since: number;
  /** Whether it is this one, by kind and name: `Deployment/web`; of a CronJob, also one of its Jobs. */
  isOwn: (workload: string) => boolean;
}

/** The stored log of a container of a deleted Pod. */
export interface DeletedLog {
  pod: string;
  container: string;
  lines: LogLine[];
}

/**
 * The newest stored lines of Pods that a workload had, by container.
 * @param present uids of its present Pods
 * @param bytes maximum bytes of text of each
 */
export async function deletedPods(
  { store }: StoredLogs,
  of: Workload,
  present: ReadonlySet<string>,
  { tail, bytes }: { tail: number; bytes: number },
): Promise<DeletedLog[]> {
  const isOf = ({ key, kind, cluster, runtime, namespace, workload }: Identity): boolean =>
    kind === 'pod' &&
    cluster === of.cluster &&
    namespace === of.namespace &&
    of.isOwn(workload ?? '') &&
    runtime === (of.runtime ?? runtime) &&
    !present.has(partsOf(key).uid);
  const newest = (store?.sources() ?? [])
    .filter(
      ({ identity, extent }) => isOf(identity) && extent.lastTime !== null && extent.lastTime >= of.since,
    )
    .toSorted((one, other) => (other.extent.lastTime ?? 0) - (one.extent.lastTime ?? 0))
    .slice(0, MAX_LOGS);
  return await Promise.all(
    newest.map(async ({ id, identity: { key, name } }) => {
      const page = await store?.page([id], Infinity, { before: tail, after: 0, bytes });
      return {
        pod: name,
        container: partsOf(key).container,
        lines: page?.lines.map(({ line }) => line) ?? [],
      };
    }),
  );
}

type Identity = ReturnType<NonNullable<StoredLogs['store']>['sources']>[number]['identity'];

/** Of `pod/<runtime>/<cluster>/<uid>/<container>`. */
function partsOf(key: string): { uid: string; container: string } {
  const [, , , uid = '', container = ''] = key.split('/');
  return { uid, container };
}
