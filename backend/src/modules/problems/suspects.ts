import type { ResourceType, TableRow } from '../../drivers/kubernetes/index.js';
import { keyOf, kindKey, type PrintedRow, type TableStore } from '../resources/index.js';
import { subjectKey, withoutEndpoints, workloadOf, type Cell, type Subject } from './workloads.js';

/** More changes than this are read as a whole table. */
const MAX_CHANGES = 5000;
/** A Pod that is being deleted has its grace period, and a kubelet needs some seconds more. */
const DELETION_MS = 31_000;

/** Kinds whose cells say the same while all is well and when nothing will come of it. */
const SILENT_KINDS = ['Service', 'PersistentVolumeClaim'];

/** In the order in which they are used. */
const NEEDED_BY_SERVICES = ['Service', 'Pod', 'EndpointSlice'];
/** `3 (12s ago)` */
const JUST_RESTARTED = /^[1-9]\d{0,9} \((?:[1-5]?\d)s ago\)$/;

/** A watched table, with the position up to which it was read. */
export interface FollowedTable {
  type: ResourceType;
  store: TableStore;
  position: number;
}

/** A row that is not, or not yet, in the state that it should have. */
interface Suspect extends Subject {
  row: PrintedRow;
  isCustom: boolean;
}

export interface SuspectGroup {
  /** The workload, or the object itself. */
  subject: Subject;
  rows: Suspect[];
  /** Whether its cells say that something is wrong, not only that it starts. */
  isUrgent: boolean;
}

/** The rows that may belong to a problem, grouped by their workload. Reads only what has changed. */
export class Suspects {
  groups: ReadonlyMap<string, SuspectGroup> = new Map();
  private readonly rows = new Map<string, Suspect>();
  /** Namespaces that are being deleted, with all that is in them. */
  endingNamespaces: ReadonlySet<string> = new Set();
  private groupOf = new Map<string, string>();
  /** Owners of ReplicaSets, Jobs and custom resources, by `kindKey`. */
  private readonly owners = new Map<string, ReadonlyMap<string, TableRow['owner']>>();

  constructor(
    private readonly tables: readonly FollowedTable[],
    private readonly events: FollowedTable | undefined,
  ) {}

  /** Reads what has changed. @returns the keys of the groups to check, and whether an event is about them */
  read(now: number): Map<string, { byEvent: boolean }> {
    const changed = new Set<string>();
    const touched = new Map<string, { byEvent: boolean }>();
    let isServiceChange = false;
    for (const table of this.tables) {
      const rows = this.changesOf(table, changed);
      if (!rows) continue;
      const { custom } = table.type;
      // A custom kind may have the name of a built-in one.
      const kind = custom ? '' : table.type.kind;
      isServiceChange ||= NEEDED_BY_SERVICES.includes(kind);
      if (custom || kind === 'ReplicaSet' || kind === 'Job') this.readOwners(table);
      if (kind === 'Service' || kind === 'EndpointSlice') continue;
      const cell = cellOf(table);
      for (const row of rows) {
        if (this.take(table.type, row, isSuspect(row, cell))) changed.add(row.row.uid);
      }
    }
    if (isServiceChange) this.readServices(changed);
    for (const uid of changed) this.touch(touched, this.groupOf.get(uid), false);
    if (changed.size > 0) this.group(now);
    for (const uid of changed) this.touch(touched, this.groupOf.get(uid), false);
    for (const key of this.aboutEvents()) this.touch(touched, key, true);
    return touched;
  }

  /** The rows that are new or changed; undefined for none. Adds the uids of removed ones to `changed`. */
  private changesOf(table: FollowedTable, changed: Set<string>): readonly PrintedRow[] | undefined {
    const { store, type, position } = table;
    if (position === store.position) return undefined;
    const changes = store.since(position, MAX_CHANGES);
    table.position = changes?.position ?? store.position;
    if (!changes) {
      for (const [uid, suspect] of this.rows) {
        if (kindKey(suspect) === kindKey(type) && this.rows.delete(uid)) changed.add(uid);
      }
      return store.inOrder();
    }
    for (const uid of changes.removed) {
      this.rows.delete(uid);
      changed.add(uid);
    }
    return changes.upserts;
  }

  /** @returns whether the row matters and differs from before */
  private take(
    { group, version, plural, kind, custom }: ResourceType,
    row: PrintedRow,
    suspected: boolean,
  ): boolean {
    const { uid, namespace, name } = row.row;
    if (!suspected) return this.rows.delete(uid);
    const known = this.rows.get(uid);
    this.rows.set(uid, { group, version, plural, kind, namespace, name, row, isCustom: custom });
    // A row of which only the judgement or the usage has changed is the same object.
    return known?.row.row !== row.row;
  }

  private readOwners({ type, store }: FollowedTable): void {
    this.owners.set(kindKey(type), new Map(store.inOrder().map(({ row }) => [keyOf(row), row.owner])));
  }

  private readServices(changed: Set<string>): void {
    const [services, pods, slices] = NEEDED_BY_SERVICES.map((kind) =>
      this.tables.find(({ type }) => type.kind === kind && !type.custom),
    );
    if (!services || !pods) return;
    const rows = services.store.inOrder();
    const broken = new Set(
      withoutEndpoints(rows, pods.store.inOrder(), slices?.store.inOrder() ?? [], {
        ofService: cellOf(services),
        ofSlice: slices ? cellOf(slices) : () => '',
      }),
    );
    for (const row of rows) {
      if (this.take(services.type, row, broken.has(row))) changed.add(row.row.uid);
    }
  }

  private group(now: number): void {
    const groups = new Map<string, SuspectGroup>();
    this.endingNamespaces = new Set(
      [...this.rows.values()]
        .filter(({ kind, row }) => kind === 'Namespace' && row.row.deletedAt !== null)
        .map(({ name }) => name),
    );
    this.groupOf = new Map();
    const custom = new Map(this.tables.flatMap(({ type }) => (type.custom ? [[type.kind, type]] : [])));
    for (const [uid, suspect] of this.rows) {
      if (suspect.namespace !== null && this.endingNamespaces.has(suspect.namespace)) continue;
      const subject = workloadOf(
        suspect,
        suspect.row.row.owner,
        (type, key) => this.owners.get(kindKey(type))?.get(key),
        suspect.isCustom ? custom : undefined,
      );
      const key = subjectKey(subject);
      const group = groups.get(key) ?? { subject, rows: [], isUrgent: false };
      groups.set(key, group);
      group.rows.push(suspect);
      group.isUrgent ||= isUrgent(suspect, now);
      this.groupOf.set(uid, key);
    }
    this.groups = groups;
  }

  /** The groups that new Warning events are about. */
  private *aboutEvents(): Iterable<string> {
    const { events } = this;
    if (!events || events.position === events.store.position) return;
    const changes = events.store.since(events.position, MAX_CHANGES);
    events.position = changes?.position ?? events.store.position;
    const cell = cellOf(events);
    const objects = new Set(
      (changes?.upserts ?? events.store.inOrder()).map(
        ({ row }) => `${row.namespace ?? ''} ${cell(row, 'Object').toLowerCase()}`,
      ),
    );
    if (objects.size === 0) return;
    for (const [uid, { kind, namespace, name }] of this.rows) {
      // The events of objects without a namespace are in `default`.
      if (!objects.has(`${namespace ?? 'default'} ${kind.toLowerCase()}/${name}`)) continue;
      const key = this.groupOf.get(uid);
      if (key !== undefined) yield key;
    }
  }

  private touch(touched: Map<string, { byEvent: boolean }>, key: string | undefined, byEvent: boolean): void {
    if (key === undefined) return;
    touched.set(key, { byEvent: byEvent || (touched.get(key)?.byEvent ?? false) });
  }
}

/** A Pod that has just been restarted may be ready for a moment only. */
function isSuspect({ row, printedHealth }: PrintedRow, cell: Cell): boolean {
  return (
    row.deletedAt !== null ||
    ['failed', 'warning', 'progressing'].includes(printedHealth) ||
    JUST_RESTARTED.test(cell(row, 'Restarts'))
  );
}

/** Reads cells by the names of their columns. */
export function cellOf({ store: { format } }: FollowedTable): Cell {
  return (row, column) => format?.text(row, column) ?? '';
}

function isUrgent({ kind, row: { row, printedHealth } }: Suspect, now: number): boolean {
  if (row.deletedAt !== null) return now - Date.parse(row.deletedAt) > DELETION_MS;
  return printedHealth !== 'progressing' || SILENT_KINDS.includes(kind);
}
