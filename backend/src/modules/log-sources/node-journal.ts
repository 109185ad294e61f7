import { reasonOf } from '../../core/errors/index.js';
import { isAborted } from '../../core/threads/index.js';
import type { ContainerLogs } from '../../drivers/runtime/index.js';
import { FileLines, SERVICE_FILES } from './reading/file-lines.js';
import { JournalLines, type JournalLine } from './reading/journal-lines.js';
import type { LineSink } from './reading/line-sink.js';
import { RESUMED_TAILS } from './reading/log-reader.js';
import { OVERLAP_US, Resumption } from './reading/resumption.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { Backoff, STABLE_MS } from './backoff.js';
import type { SourceEntry } from './source-entry.js';
import type { SourceRegistry } from './source-registry.js';

/** Lines to read of a node that is seen for the first time. */
const FIRST_TAIL = 10_000;
/** A format that returns no line for this long is not the node’s, or the node has written none yet. */
const FORMAT_TIMEOUT_MS = 10_000;

/** Journal fields to read, in addition to those that are always included. */
const FIELDS = ['MESSAGE', 'PRIORITY', '_SYSTEMD_UNIT', 'SYSLOG_IDENTIFIER'];

/** How to read the logs of a node’s services. */
interface Format {
  command: (tail: number) => string[];
  lines: () => { take: (texts: readonly string[]) => JournalLine[] };
}

/** The time from which lines may be new, and the filter for stored ones. */
interface Resumed {
  from: number;
  resumption: Resumption;
}

/** On a node image without systemd, the services write to files. Slipway tries one after the other. */
const FORMATS: readonly [Format, ...Format[]] = [
  { command: journalCommand, lines: () => new JournalLines() },
  { command: filesCommand, lines: () => new FileLines() },
];

/** Follows a node’s kubelet and container runtime by `journalctl` in the node, or by `tail` if it has none. */
export class NodeJournal {
  private format = 0;
  private formatIsKnown = false;

  /** @param entries one source per service */
  constructor(
    private readonly logs: Pick<ContainerLogs, 'run'>,
    private readonly node: string,
    private readonly entries: readonly SourceEntry[],
    private readonly to: { sink: LineSink; registry: SourceRegistry },
  ) {}

  /** Runs until the signal aborts, and reconnects when the stream breaks. */
  async follow(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      const began = performance.now();
      let reason = 'The node’s journal ended.';
      try {
        await this.read(signal);
      } catch (error) {
        reason = reasonOf(error);
      }
      if (isAborted(signal)) return;
      if (!this.formatIsKnown) {
        this.format = (this.format + 1) % FORMATS.length;
        // Try the other format without a delay.
        if (this.format !== 0) continue;
      }
      for (const entry of this.included()) {
        if (entry.state !== 'gone') this.to.registry.setState(entry, 'waiting', reason);
      }
      if (performance.now() - began > STABLE_MS) backoff.reset();
      await backoff.wait(signal);
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    const last = Math.max(
      ...this.entries.map((entry) => this.to.sink.lastTime(entry.id) ?? Number.NEGATIVE_INFINITY),
    );
    if (last === Number.NEGATIVE_INFINITY) {
      await this.run(FIRST_TAIL, undefined, signal);
      return;
    }
    for (const tail of RESUMED_TAILS) {
      const needed = tail === RESUMED_TAILS.at(-1) ? undefined : last;
      if (await this.run(tail, needed, signal)) return;
    }
  }

  /**
   * @param needed time to which the journal must reach back
   * @returns false if it does not
   */
  private async run(tail: number, needed: number | undefined, signal: AbortSignal): Promise<boolean> {
    const resumed = new Map<SourceEntry, Resumed>();
    for (const entry of this.entries) resumed.set(entry, await this.resume(entry));
    const { command, lines: linesOf } = FORMATS[this.format] ?? FORMATS[0];
    const journal = linesOf();
    const timeout = new AbortController();
    const timer = this.formatIsKnown ? undefined : setTimeout(() => timeout.abort(), FORMAT_TIMEOUT_MS);
    let first = true;
    try {
      const both = AbortSignal.any([signal, timeout.signal]);
      for await (const texts of this.logs.run(this.node, command(tail), both)) {
        const lines = journal.take(texts);
        if (lines.length > 0) {
          this.formatIsKnown = true;
          clearTimeout(timer);
        }
        if (first && lines[0]) {
          if (needed !== undefined && lines[0].line.time > needed) return false;
          first = false;
        }
        for (const entry of this.included()) this.take(entry, lines, resumed.get(entry));
        await this.to.sink.room();
      }
    } finally {
      clearTimeout(timer);
    }
    return true;
  }

  private take(entry: SourceEntry, lines: readonly JournalLine[], resumed: Resumed | undefined): void {
    if (['waiting', 'ended'].includes(entry.state)) this.to.registry.setState(entry, 'live');
    const deletedAt = this.to.sink.deletedAt(entry.id) ?? -Infinity;
    const own = lines
      .filter(
        ({ service, line }) =>
          service === entry.identity.service &&
          line.time >= (resumed?.from ?? -Infinity) &&
          line.time > deletedAt,
      )
      .map(({ line }): NewLogLine => line);
    const fresh = resumed?.resumption.fresh(own) ?? [];
    if (fresh.length > 0) this.to.sink.append(entry.id, fresh);
  }

  /** A tail may also contain lines that were stored long ago. */
  private async resume({ id }: SourceEntry): Promise<Resumed> {
    const last = this.to.sink.lastTime(id);
    if (last === null) return { from: -Infinity, resumption: new Resumption([], 1) };
    const from = last - OVERLAP_US;
    return { from, resumption: new Resumption(await this.to.sink.between(id, from), 1) };
  }

  private included(): SourceEntry[] {
    return this.entries.filter((entry) => !this.to.registry.isExcluded(entry));
  }
}

function journalCommand(lines: number): string[] {
  return [
    'journalctl',
    '--follow',
    '--output=json',
    `--output-fields=${FIELDS.join(',')}`,
    '--no-pager',
    // Without it, messages of more than 4 kB are null.
    '--all',
    `--lines=${lines}`,
    '--unit=kubelet',
    '--unit=containerd',
  ];
}

/** `--retry` waits for files that do not exist yet. */
function filesCommand(lines: number): string[] {
  return [
    'tail',
    '--follow=name',
    '--retry',
    '--verbose',
    `--lines=${lines}`,
    ...Object.values(SERVICE_FILES),
  ];
}
