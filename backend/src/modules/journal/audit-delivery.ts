import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { guarded, guardedTimeout, reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { jsonValue } from '../../core/parsing/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { writeFileAtomically } from '../../core/storage/index.js';
import { recordOf } from '../../core/values/index.js';
import { SyslogSender, WebhookError, WebhookSender } from '../../drivers/registry/index.js';
import type { JournalEntry } from './journal-entry.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';
import { syslogFrame } from './syslog-frame.js';

const FILE = 'audit-cursor.json';
/** Name of the secret that tells one database from another. */
const DATABASE_ID = 'database-id';
const BATCH = 200;
const ATTEMPT_MS = 10_000;
/** Collects the entries of one moment. */
const SOON_MS = 200;
/** The log board may be a process of its own, which announces no entries here. */
const POLL_MS = 5000;
const MAX_BACKOFF_MS = 60_000;

/** The delivered entries, kept over a restart. */
interface Cursor {
  /** Identifies the database and the target. For others, the delivery starts again. */
  of: string;
  /** Through this entry, in the order of ids. */
  through: number;
  /** Delivered entries of jobs that had not ended. They are delivered again with their outcome. */
  open: readonly number[];
  /** Entries that the retention deleted before they were delivered. */
  lost: number;
  delivered_at: string | null;
}

/**
 * Delivers journal entries to the target of APP_AUDIT_TARGET in their order, at least once. The cursor moves after a
 * delivery only, so that entries may arrive twice after a crash, and none is left out.
 */
@Injectable()
export class AuditDelivery implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private cursor: Cursor | undefined;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** When the timer ends, by the clock of `performance`. */
  private due = Infinity;
  private changes: Subscription | undefined;
  private failures = 0;
  private problem: string | null = null;

  constructor(
    private readonly configuration: Configuration,
    private readonly store: JournalStore,
    private readonly journal: JournalService,
    private readonly secrets: Secrets,
    private readonly webhooks: WebhookSender,
    private readonly syslog: SyslogSender,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.configuration.values.auditTarget) return;
    const soon = guarded(() => {
      if (this.failures === 0) this.schedule(SOON_MS);
    }, 'deliver journal entries');
    this.changes = this.journal.changes.subscribe(soon);
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.changes?.unsubscribe();
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  /** The state of the delivery, without secrets of the URL; null without a target. */
  state(): { ok: boolean; lost: number; text: string } | null {
    const target = this.configuration.values.auditTarget;
    if (!target) return null;
    const { first, last } = this.store.ids();
    const { through = first - 1, lost = 0, delivered_at = null } = this.cursor ?? {};
    const waiting = last - through;
    const parts = [
      `${target.form} at ${target.url.host}`,
      this.problem,
      `${waiting} ${waiting === 1 ? 'entry waits' : 'entries wait'}`,
      `last delivery ${delivered_at ?? 'never'}`,
      lost > 0 && `${lost} deleted by the retention before they were delivered`,
    ];
    return { ok: this.problem === null, lost, text: parts.filter(Boolean).join('; ') };
  }

  /** Keeps an earlier time: frequent entries must not postpone each other. */
  private schedule(ms: number): void {
    const due = performance.now() + ms;
    if (this.running || this.stopping.signal.aborted || due >= this.due) return;
    this.due = due;
    clearTimeout(this.timer);
    this.timer = guardedTimeout(() => this.run(), ms, 'deliver journal entries').unref();
  }

  private run(): void {
    this.due = Infinity;
    this.running ??= this.deliverAll()
      .then(
        () => {
          this.failures = 0;
          this.problem = null;
        },
        (error: unknown) => this.fail(error),
      )
      .finally(() => {
        this.running = undefined;
        this.schedule(this.failures === 0 ? POLL_MS : Math.min(MAX_BACKOFF_MS, 500 * 2 ** this.failures));
      });
  }

  private fail(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    this.failures = Math.min(this.failures + 1, 10);
    const isDescribed = error instanceof WebhookError;
    // Other errors may contain the URL.
    const problem = isDescribed ? error.message : 'Slipway could not read or save its state';
    if (this.problem === null) this.logger.warning(`Could not deliver journal entries: ${problem}`);
    if (!isDescribed) this.logger.failure('the delivery of journal entries failed', error);
    this.problem = problem;
  }

  private async deliverAll(): Promise<void> {
    let cursor = this.cursor ?? (await this.readCursor());
    for (;;) {
      const { first, last } = this.store.ids();
      const through = Math.min(last, Math.max(cursor.through, first - 1) + BATCH);
      const added = this.store.byId({}, cursor.through + 1, through);
      const known = cursor.open.flatMap((id) => this.store.byId({}, id, id));
      const ended = known.filter(({ outcome }) => outcome !== 'started');
      const entries = [...ended, ...added];
      const vanished = cursor.open.length - known.length;
      if (entries.length + vanished === 0 && through <= cursor.through) return;
      if (entries.length > 0) await this.send(entries);
      const lost = vanished + Math.max(0, through - cursor.through - added.length);
      if (lost > 0) {
        this.logger.warning(`The retention deleted ${lost} journal entries before they were delivered.`);
      }
      const open = [...known, ...added].filter(({ outcome }) => outcome === 'started').map(({ id }) => id);
      const at = entries.length > 0 ? new Date().toISOString() : cursor.delivered_at;
      cursor = await this.keep({ ...cursor, through, open, lost: cursor.lost + lost, delivered_at: at });
    }
  }

  private async keep(cursor: Cursor): Promise<Cursor> {
    await writeFileAtomically(this.file, `${JSON.stringify(cursor)}\n`);
    return (this.cursor = cursor);
  }

  private async send(entries: readonly JournalEntry[]): Promise<void> {
    const target = this.configuration.values.auditTarget;
    if (!target) return;
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), this.stopping.signal]);
    if (target.form === 'syslog') {
      await this.syslog.send(target.url, entries.map((entry) => syslogFrame(entry)).join(''), signal);
      return;
    }
    const headers = { 'content-type': 'application/x-ndjson', 'user-agent': 'Slipway' };
    const body = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const status = await this.webhooks.post(target.url, headers, body, signal);
    if (status < 200 || status > 299) throw new WebhookError(`${target.url.host} returned ${status}`);
  }

  private get file(): string {
    return join(this.configuration.values.dataDirectory, FILE);
  }

  private origin(): string {
    const { sealed } = this.secrets;
    let id = sealed.get(DATABASE_ID);
    if (id === undefined) sealed.put(DATABASE_ID, (id = randomUUID()));
    const { form, url } = this.configuration.values.auditTarget ?? {};
    return createHash('sha256').update([id, form, url?.href].join('\0')).digest('base64url');
  }

  /** At first, all entries that exist; also for another database, such as an older copy, and for another target. */
  private async readCursor(): Promise<Cursor> {
    const text = await readFile(this.file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw new Error(`Could not read ${FILE}: ${reasonOf(error)}`, { cause: error });
    });
    const { of, through, open, lost, delivered_at: at } = recordOf(jsonValue(text));
    const [origin, { first, last }] = [this.origin(), this.store.ids()];
    if (of !== origin || typeof through !== 'number' || through > last || !Array.isArray(open)) {
      // Kept before it is used: the database could grow beyond an old position.
      return await this.keep({ of: origin, through: first - 1, open: [], lost: 0, delivered_at: null });
    }
    return {
      of: origin,
      through,
      open: open.filter((id): id is number => typeof id === 'number'),
      lost: typeof lost === 'number' ? lost : 0,
      delivered_at: typeof at === 'string' ? at : null,
    };
  }
}
