import { computed, signal, untracked } from '@angular/core';
import { ApiProblem, type ProblemCode } from '../../shared/api/api-problem';
import type { ClusterKey } from '../../shared/api/api';
import type {
  ResourceTableDto,
  ResourceTypeDto,
  ServerMessage,
  TableColumnDto,
  TableRowDto,
  Topic,
} from '../../shared/api/api-types';
import type { LiveConnection, LiveListener } from '../../shared/live/live-connection';
import type { TypeName } from './resource-address';
import type { ResourcesApi } from './resources-api';
import { type Entry, type RowOrder, TableRows } from './table-rows';

type TableMessage = Extract<ServerMessage, { type: 'resources' }>;

/**
 * Rows that are asked for at once. The server names the first of these requests to a browser in the page itself, as
 * `create-dashboard.ts` has it, so that it is under way while scripts are: they have to be the same.
 */
const PAGE = 1000;
const POLL_EVERY_MS = 10_000;
const RETRY_AFTER_MS = 5000;

/** Lets the browser draw and take keys. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * The table of one kind in one cluster. Read page by page at first, which waits for no socket; then told: the
 * whole of it in parts, and from then on what changes. Polled while there is no socket.
 */
export class TableFeed {
  private readonly rows: TableRows;
  private readonly entries = signal<readonly Entry[]>([]);
  private readonly count = signal(0);
  private readonly servedColumns = signal<readonly TableColumnDto[] | undefined>(undefined);
  private readonly servedType = signal<ResourceTypeDto | undefined>(undefined);
  private readonly measured = signal(false);
  private readonly told = signal<number | null>(null);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly whole = signal(false);
  private readonly stopListening: () => void;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Of the newest reading; an older one that is still under way gives up. */
  private turn = 0;
  private reading = false;
  private ended = false;
  /** What was told while pages are read is newer than what they bring. */
  private readonly touched = new Set<string>();
  /** Of a whole table that is being told: what came of it so far. */
  private telling: Set<string> | undefined;

  /** The rows that are wanted, in the order that is wanted. */
  readonly shown = this.entries.asReadonly();
  /** How many rows are here, shown or not. */
  readonly size = this.count.asReadonly();
  readonly problem = this.failure.asReadonly();
  /** All rows are here. */
  readonly complete = this.whole.asReadonly();
  readonly columns = computed(() => this.servedColumns() ?? []);
  readonly type = this.servedType.asReadonly();
  /** Whether metrics-server tells what the rows use. */
  readonly usage = this.measured.asReadonly();
  /** How many there are in the cluster, as far as it is known. */
  readonly total = computed(() => (this.whole() ? this.count() : this.told()));
  /** Nothing is known yet, and nothing failed. */
  readonly waiting = computed(() => this.servedColumns() === undefined && this.failure() === null);

  constructor(
    private readonly api: Pick<ResourcesApi, 'table'>,
    private readonly live: Pick<LiveConnection, 'listen' | 'state'>,
    private readonly key: ClusterKey,
    private readonly name: TypeName,
  ) {
    this.rows = new TableRows((shown) => {
      this.entries.set(shown);
      this.count.set(this.rows.size);
    }, nextTask);
    const listener: LiveListener = {
      topics: [topicOf(key, name)],
      pollEveryMs: POLL_EVERY_MS,
      // Who has just begun to listen is told everything anyway.
      refresh: () => {
        if (this.live.state() !== 'live') void this.read();
      },
      onMessage: (message) => this.receive(message),
    };
    // Made in an effect, it must not be made anew whenever the connection that it looks at comes or goes.
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

  /** Every row, shown or not. */
  all(): TableRowDto[] {
    return [...this.rows.all()].map(({ row }) => row);
  }

  /** Reads all pages. Never rejects: `problem` says how it went. */
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
    const here = new Set<string>();
    let next: string | null = null;
    do {
      const query = { limit: PAGE, ...(next === null ? {} : { continue: next }) };
      const page: ResourceTableDto = await this.api.table(this.key, this.name, query);
      // Of a reading that was overtaken, too: nobody else tells the kind.
      if (next === null && !this.ended) this.servedType.set(page.type);
      if (turn !== this.turn) return;
      for (const { uid } of page.rows) here.add(uid);
      if (next === null) {
        this.servedColumns.set(page.columns);
        this.measured.set(page.usage);
        this.told.set(page.total);
      }
      this.rows.apply({ upserts: page.rows.filter(({ uid }) => !this.touched.has(uid)), removed: [] });
      next = page.continue;
    } while (next !== null);
    for (const uid of this.touched) here.add(uid);
    this.rows.keepOnly(here);
    this.whole.set(true);
  }

  private fail(problem: ApiProblem): void {
    this.failure.set(problem);
    // A page that was waited for too long: from the beginning, rather than with a hole.
    this.retry = setTimeout(() => void this.read(), problem.code === 'page_expired' ? 0 : RETRY_AFTER_MS);
  }

  private receive(message: ServerMessage): void {
    if (message.type !== 'resources' || this.ended) return;
    const { error } = message;
    this.failure.set(error && new ApiProblem(error.code as ProblemCode, error.message, 0));
    if (error && !message.reset && message.upserts.length === 0 && message.removed.length === 0) return;
    if (message.reset) this.beginTelling(message);
    if (message.upserts.some((row) => row.cpu_millicores !== null)) this.measured.set(true);
    this.told.set(message.total);
    if (this.reading) {
      // The pages are of one moment: a later one may still hold what is gone by now.
      for (const uid of message.removed) this.touched.add(uid);
      for (const { uid } of message.upserts) this.touched.add(uid);
    }
    this.rows.apply(message);
    this.goOnTelling(message);
  }

  /** Whatever is being read is older than what is told now. */
  private beginTelling({ columns }: TableMessage): void {
    this.turn += 1;
    this.reading = false;
    clearTimeout(this.retry);
    this.telling = new Set();
    if (columns) this.servedColumns.set(columns);
  }

  /** Once all is told, what was here before and did not come is gone. */
  private goOnTelling({ upserts, removed, total }: TableMessage): void {
    const { telling } = this;
    if (!telling) return;
    for (const { uid } of upserts) telling.add(uid);
    for (const uid of removed) telling.delete(uid);
    if (telling.size < total) return;
    this.telling = undefined;
    this.rows.keepOnly(telling);
    this.whole.set(true);
  }
}

export function topicOf({ runtime, name }: ClusterKey, { group, version, plural }: TypeName): Topic {
  return `resources:${runtime}/${name}/${group}/${version}/${plural}`;
}
