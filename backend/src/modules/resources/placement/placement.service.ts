import { Injectable } from '@nestjs/common';
import { PODS, quantityOf, specOf, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { keyOfCluster, TableWatches } from '../watch/table-watches.js';
import type { PodPlacementDto } from './placement.dto.js';

const LOAD_TIMEOUT_MS = 4000;
const MAX_PODS = 2000;
/** Listing whole Pods costs much more than their rows. */
const READ_EVERY_MS = 10_000;

interface Requests {
  readAt: number;
  /** Bytes by uid. */
  byUid: ReadonlyMap<string, number>;
}

/** Where the Pods of a cluster run. From their table, which is watched anyway. */
@Injectable()
export class PlacementService {
  private readonly requests = new Map<string, Requests>();

  constructor(private readonly watches: TableWatches) {}

  /** @throws DomainError as `ResourceApi.table` */
  async read(open: OpenCluster): Promise<PodPlacementDto> {
    const lease = this.watches.acquire(open.cluster, await open.api.type(PODS));
    try {
      await this.watches.loaded(lease, LOAD_TIMEOUT_MS);
      const { format, total } = lease.store;
      const rows = lease.store.inOrder().slice(0, MAX_PODS);
      const requests = await this.requestsOf(
        open,
        rows.map(({ row }) => row.uid),
      );
      return {
        pods: rows.map(({ row, health }) => {
          const node = format?.text(row, 'Node') ?? '';
          return {
            namespace: row.namespace ?? '',
            name: row.name,
            node: node === '' || node === '<none>' ? null : node,
            health,
            status: format?.text(row, 'Status') ?? '',
            memory_request_bytes: requests.get(row.uid) ?? null,
          };
        }),
        total,
      };
    } finally {
      lease.release();
    }
  }

  /** Rows have no requests. They do not change in the life of nearly every Pod, so only new Pods are a reason to read. */
  private async requestsOf(
    { cluster, api }: OpenCluster,
    uids: readonly string[],
  ): Promise<Requests['byUid']> {
    const key = keyOfCluster(cluster);
    const known = this.requests.get(key);
    const now = performance.now();
    const isComplete = uids.every((uid) => known?.byUid.has(uid));
    if (known && (isComplete || now - known.readAt < READ_EVERY_MS)) return known.byUid;
    // Concurrent readers use what is known.
    this.requests.set(key, { readAt: now, byUid: known?.byUid ?? new Map() });
    const pods = await api.list(PODS, { limit: MAX_PODS });
    const byUid = new Map(pods.map((pod) => [pod.metadata.uid ?? '', memoryRequestOf(pod)]));
    this.requests.set(key, { readAt: now, byUid });
    return byUid;
  }
}

/** As the scheduler counts: all containers at once, or one of the init containers before them. */
export function memoryRequestOf(pod: KubernetesObject): number {
  const { containers = [], initContainers = [] } = specOf(pod);
  const bytes = ({ resources }: (typeof containers)[number]): number =>
    quantityOf(resources?.requests?.['memory'] ?? '0') || 0;
  const isSidecar = ({ restartPolicy }: (typeof containers)[number]): boolean => restartPolicy === 'Always';
  const running = [...containers, ...initContainers.filter(isSidecar)];
  return Math.max(
    running.reduce((sum, each) => sum + bytes(each), 0),
    ...initContainers.filter((each) => !isSidecar(each)).map(bytes),
  );
}
