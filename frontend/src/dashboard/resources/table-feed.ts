import { computed, signal, untracked } from '@angular/core';
import { ApiProblem, type ProblemCode } from '../../shared/api/api-problem';
import type { Api, ClusterKey } from '../../shared/api/api';
import type {
  ResourceTableDto,
  ResourceTypeDto,
  ServerMessage,
  TableColumnDto,
  TableRowDto,
  Topic,
} from '../../shared/api/api-types';
import type { LiveConnection, LiveListener } from '../../shared/live/live-connection';
import { type TypeName, typeParams } from '../resource-model/resource-address';
import { withTimes } from './table-columns';
import { type Entry, type RowOrder, TableRows } from './table-rows';

type TableMessage = Extract<ServerMessage, { type: 'resources' }>;

/** Rows per request. */
const PAGE = 1000;
const POLL_EVERY_MS = 10_000;
const RETRY_AFTER_MS = 5000;

/** Lets the browser render and handle input. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * The table of one kind in one cluster. First loaded in pages, without waiting for the socket. The socket then
 * sends the whole table in parts, followed by changes. Polled while there is no socket.
 */
export class TableFeed {
  private readonly rows: TableRows;
  private readonly entries = signal<readonly Entry[]>([]);
  private readonly count = signal(0);
  private readonly changes = signal(0);
  private readonly servedColumns = signal<readonly TableColumnDto[] | undefined>(undefined);
  private readonly servedType = signal<ResourceTypeDto | undefined>(undefined);
  private readonly hasUsage = signal(false);
  private readonly announcedTotal = signal<number | null>(null);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly isComplete = signal(false);
  private readonly stopListening: () => void;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Number of the newest request; older ones are dropped. */
  private turn = 0;
  private reading = false;
  private ended = false;
  /** Rows updated by the socket while pages load: they are newer than the pages. */
  private readonly touched = new Set<string>();
  /** Uids received so far while the socket sends the whole table. */
  private received: Set<string> | undefined;

  readonly shown = this.entries.asReadonly();
  readonly size = this.count.asReadonly();
  /** Changes with the rows, including rows that the filter hides. */
  readonly version = this.changes.asReadonly();
  readonly problem = this.failure.asReadonly();
  readonly complete = this.isComplete.asReadonly();
  readonly columns = computed(() => this.servedColumns() ?? []);
  readonly type = this.servedType.asReadonly();
  /** Whether metrics-server provides usage. */
  readonly usage = this.hasUsage.asReadonly();
  /** Number of objects in the cluster; null if unknown. */
  readonly total = computed(() => (this.isComplete() ? this.count() : this.announcedTotal()));
  readonly waiting = computed(() => this.servedColumns() === undefined && this.failure() === null);

  constructor(
    private readonly api: Pick<Api, 'get'>,
    private readonly live: Pick<LiveConnection, 'listen' | 'state'>,
    private readonly key: ClusterKey,
    private readonly name: TypeName,
  ) {
    this.rows = new TableRows((shown) => {
      this.entries.set(shown);
      this.count.set(this.rows.size);
      this.changes.update((version) => version + 1);
    }, nextTask);
    const listener: LiveListener = {
      topics: [topicOf(key, name)],
      pollEveryMs: POLL_EVERY_MS,
      // A new subscription receives the whole table anyway.
      refresh: () => {
        if (this.live.state() !== 'live') void this.read();
      },
      onMessage: (message) => this.receive(message),
    };
    // Created in an effect, which must not depend on the state of the connection.
    this.stopListening = untracked(() => {
      void this.read();
      return live.listen(listener);
    });
  }

  end(): void {
    this.ended = true;
    this.turn += 1;
    clearTimeout(this.retry);
    this.stopListening();
  }

  arrange(order: RowOrder): void {
    void this.rows.arrange(order);
  }

  get(uid: string): TableRowDto | undefined {
    return this.rows.get(uid);
  }

  all(): TableRowDto[] {
    return [...this.rows.all()].map(({ row }) => row);
  }

  /** Loads all pages. Never rejects: sets `problem`. */
  async read(): Promise<void> {
    if (this.reading || this.ended) return;
    clearTimeout(this.retry);
    this.turn += 1;
    const turn = this.turn;
    this.reading = true;
    this.touched.clear();
    try {
      await this.readPages(turn);
      if (turn === this.turn) this.failure.set(null);
    } catch (error) {
      if (turn === this.turn) this.fail(ApiProblem.of(error));
    } finally {
      if (turn === this.turn) this.reading = false;
    }
  }

  private async readPages(turn: number): Promise<void> {
    const loaded = new Set<string>();
    let next: string | null = null;
    do {
      const page: ResourceTableDto = await this.api.get(
        '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
        { ...typeParams(this.key, this.name), limit: PAGE, continue: next ?? undefined },
      );
      // Also from an outdated request: the socket does not send the type.
      if (next === null && !this.ended) this.servedType.set(page.type);
      if (turn !== this.turn) return;
      for (const { uid } of page.rows) loaded.add(uid);
      if (next === null) {
        this.servedColumns.set(page.columns);
        this.hasUsage.set(page.usage);
        this.announcedTotal.set(page.total);
      }
      const fresh = page.rows.filter(({ uid }) => !this.touched.has(uid));
      this.apply({ upserts: fresh, removed: [] });
      next = page.continue;
    } while (next !== null);
    for (const uid of this.touched) loaded.add(uid);
    this.rows.keepOnly(loaded);
    this.isComplete.set(true);
  }

  private fail(problem: ApiProblem): void {
    this.failure.set(problem);
    // An expired page token: start over, so that no rows are missing.
    this.retry = setTimeout(() => void this.read(), problem.code === 'page_expired' ? 0 : RETRY_AFTER_MS);
  }

  private receive(message: ServerMessage): void {
    if (message.type !== 'resources' || this.ended) return;
    const { error } = message;
    this.failure.set(error && new ApiProblem(error.code as ProblemCode, error.message, 0));
    if (error && !message.reset && message.upserts.length === 0 && message.removed.length === 0) return;
    if (message.reset) this.startReset(message);
    if (message.upserts.some((row) => row.cpu_millicores !== null)) this.hasUsage.set(true);
    this.announcedTotal.set(message.total);
    if (this.reading) {
      // Later pages show an older state and may still contain removed rows.
      for (const uid of message.removed) this.touched.add(uid);
      for (const { uid } of message.upserts) this.touched.add(uid);
    }
    this.apply(message);
    this.continueReset(message);
  }

  private apply({ upserts, removed }: Pick<TableMessage, 'upserts' | 'removed'>): void {
    this.rows.apply({ upserts: withTimes(this.columns(), upserts, Date.now()), removed });
  }

  /** Drops a running request: the socket is newer. */
  private startReset({ columns }: TableMessage): void {
    this.turn += 1;
    this.reading = false;
    clearTimeout(this.retry);
    this.received = new Set();
    if (columns) this.servedColumns.set(columns);
  }

  /** When the table is complete, removes rows that it did not contain. */
  private continueReset({ upserts, removed, total }: TableMessage): void {
    const { received } = this;
    if (!received) return;
    for (const { uid } of upserts) received.add(uid);
    for (const uid of removed) received.delete(uid);
    if (received.size < total) return;
    this.received = undefined;
    this.rows.keepOnly(received);
    this.isComplete.set(true);
  }
}

function topicOf({ runtime, name }: ClusterKey, { group, version, plural }: TypeName): Topic {
  return `resources:${runtime}/${name}/${group}/${version}/${plural}`;
}
