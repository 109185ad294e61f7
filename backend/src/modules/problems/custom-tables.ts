import { hasStatusColumn, type ResourceApi, type ResourceType } from '../../drivers/kubernetes/index.js';
import type { ClusterKey } from '../clusters/index.js';
import { kindKey, type TableLease, type TableWatches } from '../resources/index.js';
import type { FollowedTable } from './suspects.js';

/** Kinds that are watched in a cluster: each has a connection. A service mesh alone can bring more. */
const MAX_KINDS = 20;
/** A kind that has more objects when it is found is left out. Policy reports and the like have thousands. */
const MAX_OBJECTS = 1000;
/** Interval at which new kinds are looked for. */
const LOOK_MS = 60_000;

interface Watched {
  type: ResourceType;
  lease: TableLease;
}

/** Watches the custom kinds whose columns say whether an object works, such as `Ready`. */
export class CustomTables {
  private readonly watched = new Map<string, Watched>();
  /** Whether a kind can be watched, as found out. */
  private readonly known = new Map<string, boolean>();
  private lookAt = 0;

  constructor(
    private readonly cluster: ClusterKey,
    private readonly watches: TableWatches,
    private readonly open: () => Promise<ResourceApi>,
  ) {}

  /** Looks for kinds if it is time, and adds their tables once they are listed. */
  tick(now: number, tables: FollowedTable[]): void {
    // Also if the clock was set back.
    if (now >= this.lookAt || now < this.lookAt - LOOK_MS) {
      this.lookAt = now + LOOK_MS;
      void this.look(tables).catch(() => undefined);
    }
    for (const { type, lease } of this.watched.values()) {
      if (!lease.store.isListed || tables.some(({ store }) => store === lease.store)) continue;
      tables.push({ type, store: lease.store, position: -1 });
    }
  }

  close(): void {
    this.lookAt = Infinity;
    for (const { lease } of this.watched.values()) lease.release();
    this.watched.clear();
  }

  private async look(tables: FollowedTable[]): Promise<void> {
    const api = await this.open();
    const served = (await api.types()).filter(({ custom, verbs }) => custom && verbs.includes('watch'));
    const names = new Set(served.map(nameOf));
    for (const [name, { lease }] of this.watched) {
      if (names.has(name)) continue;
      this.watched.delete(name);
      lease.release();
      const place = tables.findIndex(({ store }) => store === lease.store);
      if (place !== -1) tables.splice(place, 1);
    }
    for (const type of served) {
      const name = nameOf(type);
      if (this.watched.has(name) || !(this.known.get(name) ?? (await this.probe(api, type)))) continue;
      if (this.watched.size >= MAX_KINDS || this.lookAt === Infinity) return;
      this.watched.set(name, { type, lease: this.watches.acquire(this.cluster, type) });
    }
  }

  private async probe(api: ResourceApi, type: ResourceType): Promise<boolean> {
    try {
      const { columns, remaining } = await api.table(type, { limit: 1 });
      const fits = hasStatusColumn(columns) && (remaining ?? 0) < MAX_OBJECTS;
      this.known.set(nameOf(type), fits);
      return fits;
    } catch {
      // Its server may respond the next time.
      return false;
    }
  }
}

function nameOf(type: ResourceType): string {
  return `${kindKey(type)}/${type.version}`;
}
