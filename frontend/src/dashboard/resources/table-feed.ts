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
import type { LiveConnection } from '../../shared/live/live-connection';
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
 * The table of one kind in one cluster: loaded in pages, without waiting for the socket, which then sends the changes
 * since the first page. Polled while there is no socket.
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
  private stopListening: (() => void) | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private reading = false;
  private readonly ending = new AbortController();
  /** Up to which changes have been applied. */
  private position: string | null = null;

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
    private readonly now = Date.now,
  ) {
    this.rows = new TableRows((shown) => {
      this.entries.set(shown);
      this.count.set(this.rows.size);
      this.changes.update((version) => version + 1);
    }, nextTask);
    // Created in an effect, which must not depend on the state of the connection.
    untracked(() => void this.read());
  }

  end(): void {
    this.ending.abort();
    clearTimeout(this.retry);
    this.stopListening?.();
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

  /** Loads all pages, then follows the changes since the first one. Never rejects: sets `problem`. */
  async read(): Promise<void> {
    const { signal } = this.ending;
    if (this.reading || signal.aborted) return;
    this.reading = true;
    this.stopListening?.();
    clearTimeout(this.retry);
    try {
      await this.readPages(signal);
      this.failure.set(null);
      this.follow();
    } catch (error) {
      if (this.ending.signal.aborted) return;
      this.failure.set(ApiProblem.of(error));
      this.retry = setTimeout(() => void this.read(), RETRY_AFTER_MS);
    } finally {
      this.reading = false;
    }
  }

  private async readPages(signal: AbortSignal): Promise<void> {
    const loaded = new Set<string>();
    let next: string | null = null;
    do {
      const page: ResourceTableDto = await this.api.get(
        '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
        { ...typeParams(this.key, this.name), limit: PAGE, continue: next ?? undefined },
        signal,
      );
      signal.throwIfAborted();
      if (next === null) {
        // The changes since then include those of rows on later pages.
        this.position = page.position;
        this.servedType.set(page.type);
        this.servedColumns.set(page.columns);
        this.hasUsage.set(page.usage);
        this.announcedTotal.set(page.total);
      }
      for (const { uid } of page.rows) loaded.add(uid);
      this.apply({ upserts: page.rows, removed: [] });
      next = page.continue;
    } while (next !== null);
    this.rows.keepOnly(loaded);
    this.isComplete.set(true);
  }

  private follow(): void {
    // The connection refreshes a new listener at once while it has no socket. The table has just been read.
    let isNew = true;
    this.stopListening = this.live.listen({
      topics: [topicOf(this.key, this.name)],
      pollEveryMs: POLL_EVERY_MS,
      after: () => this.position,
      refresh: () => {
        if (!isNew && this.live.state() !== 'live') void this.read();
      },
      onMessage: (message) => this.receive(message),
    });
    isNew = false;
  }

  private receive(message: ServerMessage): void {
    if (message.type !== 'resources') return;
    const { error, position, reset } = message;
    this.failure.set(error && new ApiProblem(error.code as ProblemCode, error.message, 0));
    if (reset) {
      void this.read();
      return;
    }
    this.position = position ?? this.position;
    if (message.upserts.length === 0 && message.removed.length === 0) return;
    if (message.upserts.some((row) => row.cpu_millicores !== null)) this.hasUsage.set(true);
    this.apply(message);
  }

  private apply({ upserts, removed }: Pick<TableMessage, 'upserts' | 'removed'>): void {
    this.rows.apply({ upserts: withTimes(this.columns(), upserts, this.now()), removed });
  }
}

function topicOf({ runtime, name }: ClusterKey, { group, version, plural }: TypeName): Topic {
  return `resources:${runtime}/${name}/${group}/${version}/${plural}`;
}
