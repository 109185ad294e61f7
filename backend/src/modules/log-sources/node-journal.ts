import { reasonOf } from '../../core/errors/index.js';
import type { ContainerLogs } from '../../drivers/runtime/index.js';
import { FileLines, SERVICE_FILES } from './reading/file-lines.js';
import { JournalLines, type JournalLine } from './reading/journal-lines.js';
import type { LineSink } from './reading/line-sink.js';
import { RESUMED_TAILS } from './reading/log-reader.js';
import { OVERLAP_US, Resumption } from './reading/resumption.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { isOver } from './is-over.js';
import { Pause } from './pause.js';
import type { SourceEntry } from './source-entry.js';
import type { SourceRegistry } from './source-registry.js';

/** What is asked for of a node that was never seen before. */
const FIRST_TAIL = 10_000;
const GOOD_MS = 10_000;
/** A way that brings no line for so long is not the node’s, or not yet. */
const PATIENCE_MS = 10_000;

/** Fields of the journal that are read, beside those that are always told. */
const FIELDS = ['MESSAGE', 'PRIORITY', '_SYSTEMD_UNIT', 'SYSLOG_IDENTIFIER'];

/** A way to read what a node’s services write. */
interface Way {
  command: (tail: number) => string[];
  lines: () => { take: (texts: readonly string[]) => JournalLine[] };
}

/** From where on lines are new, or known by their resumption. */
interface Resumed {
  from: number;
  resumption: Resumption;
}

/** A node image without systemd has no journal; its services write files then. Which it is shows by trying. */
const WAYS: readonly [Way, ...Way[]] = [
  { command: journalCommand, lines: () => new JournalLines() },
  { command: filesCommand, lines: () => new FileLines() },
];

/** The lines of a node’s kubelet and container runtime, by `journalctl` in the node, or by `tail` where it has none. */
export class NodeJournal {
  private way = 0;
  private wayIsKnown = false;

  /** @param entries its sources; what is of another service goes to the first */
  constructor(
    private readonly logs: Pick<ContainerLogs, 'run'>,
    private readonly node: string,
    private readonly entries: readonly SourceEntry[],
    private readonly to: { sink: LineSink; registry: SourceRegistry },
  ) {}

  /** Goes on until the signal is given, also over broken streams. */
  async follow(signal: AbortSignal): Promise<void> {
    const pause = new Pause();
    while (!signal.aborted) {
      const began = performance.now();
      let reason = 'The node’s journal ended.';
      try {
        await this.read(signal);
      } catch (error) {
        reason = reasonOf(error);
      }
      if (isOver(signal)) return;
      if (!this.wayIsKnown) {
        this.way = (this.way + 1) % WAYS.length;
        // The other way is tried at once.
        if (this.way !== 0) continue;
      }
      for (const entry of this.wanted()) {
        if (entry.state !== 'gone') this.to.registry.setState(entry, 'waiting', reason);
      }
      if (performance.now() - began > GOOD_MS) pause.reset();
      await pause.wait(signal);
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
   * @returns false where it does not
   */
  private async run(tail: number, needed: number | undefined, signal: AbortSignal): Promise<boolean> {
    const resumed = new Map<SourceEntry, Resumed>();
    for (const entry of this.entries) resumed.set(entry, await this.resume(entry));
    const { command, lines: linesOf } = WAYS[this.way] ?? WAYS[0];
    const journal = linesOf();
    const patience = new AbortController();
    const timer = this.wayIsKnown ? undefined : setTimeout(() => patience.abort(), PATIENCE_MS);
    let first = true;
    try {
      const both = AbortSignal.any([signal, patience.signal]);
      for await (const texts of this.logs.run(this.node, command(tail), both)) {
        const lines = journal.take(texts);
        if (lines.length > 0) {
          this.wayIsKnown = true;
          clearTimeout(timer);
        }
        if (first && lines[0]) {
          if (needed !== undefined && lines[0].line.time > needed) return false;
          first = false;
        }
        for (const entry of this.wanted()) this.take(entry, lines, resumed.get(entry));
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

  /** What is asked for by a number of lines also brings what was taken in long ago. */
  private async resume({ id }: SourceEntry): Promise<Resumed> {
    const last = this.to.sink.lastTime(id);
    if (last === null) return { from: -Infinity, resumption: new Resumption([], 1) };
    const from = last - OVERLAP_US;
    return { from, resumption: new Resumption(await this.to.sink.since(id, from), 1) };
  }

  private wanted(): SourceEntry[] {
    return this.entries.filter((entry) => !this.to.registry.isLeftOut(entry));
  }
}

function journalCommand(lines: number): string[] {
  return [
    'journalctl',
    '--follow',
    '--output=json',
    `--output-fields=${FIELDS.join(',')}`,
    '--no-pager',
    // Without it a message of more than 4 kB is told as null.
    '--all',
    `--lines=${lines}`,
    '--unit=kubelet',
    '--unit=containerd',
  ];
}

/** Files that are not there yet are waited for. */
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
