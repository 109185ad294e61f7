import { plainLine, redact } from '../../core/logging/index.js';
import type { LogKind } from './job.dto.js';
import type { JobLogLine } from './job.js';

interface JobLogLimits {
  lines: number;
  /** Characters of text; nearly all output is ASCII, so these are bytes. */
  size: number;
}

export const JOB_LOG_LIMITS: JobLogLimits = { lines: 10_000, size: 2_000_000 };
const MAX_LINE = 4000;

export interface JobLogChange {
  added: JobLogLine[];
  /** The line that replaces the omitted ones, and the last omitted sequence. */
  cut: { mark: JobLogLine; through: number } | undefined;
}

/**
 * Limits a running job's log in lines and size. It keeps the first lines, up to half of the limit, and the newest
 * ones; a line between them counts those that were left out. In memory are only the lines that are not stored yet, and
 * the sizes of those that may be removed.
 */
export class JobLog {
  private lines = 0;
  private size = 0;
  private headFull = false;
  private markSequence = 0;
  private markTime = '';
  private readonly tail: { sequence: number; size: number }[] = [];
  private tailSize = 0;
  private cut = 0;
  private cutThrough = 0;
  private pending: JobLogLine[] = [];

  /** @param sequence the last stored sequence, if the log continues after a restart. */
  constructor(
    private sequence = 0,
    private readonly limits: JobLogLimits = JOB_LOG_LIMITS,
  ) {}

  append(text: string, kind: LogKind, time: string): JobLogLine {
    const clean = redact(plainLine(text)).slice(0, MAX_LINE);
    this.makeRoomForMark(clean.length, time);
    this.sequence += 1;
    const line: JobLogLine = { sequence: this.sequence, time, kind, text: clean };
    this.pending.push(line);
    if (this.headFull) {
      this.tail.push({ sequence: line.sequence, size: clean.length });
      this.tailSize += clean.length;
      this.shortenTail();
    } else {
      this.lines += 1;
      this.size += clean.length;
    }
    return line;
  }

  /** Changes since the last call, or undefined. */
  drain(): JobLogChange | undefined {
    if (this.pending.length === 0) return undefined;
    const added = this.pending.filter(
      ({ sequence }) => sequence < this.markSequence || sequence > this.cutThrough,
    );
    this.pending = [];
    if (this.cut === 0) return { added, cut: undefined };
    const text = `${this.cut} lines were left out here`;
    return {
      added,
      cut: {
        mark: { sequence: this.markSequence, time: this.markTime, kind: 'cut', text },
        through: this.cutThrough,
      },
    };
  }

  /** The first line past half of the limit leaves its sequence to the replacement line. */
  private makeRoomForMark(nextSize: number, time: string): void {
    if (this.headFull) return;
    if (this.lines < this.limits.lines / 2 && this.size + nextSize <= this.limits.size / 2) return;
    this.headFull = true;
    this.sequence += 1;
    this.markSequence = this.sequence;
    this.markTime = time;
  }

  private shortenTail(): void {
    let drop = 0;
    while (this.tail.length - drop > this.limits.lines / 2 || this.tailSize > this.limits.size / 2) {
      const oldest = this.tail[drop];
      if (!oldest) break;
      this.tailSize -= oldest.size;
      this.cutThrough = oldest.sequence;
      drop += 1;
    }
    this.cut += drop;
    if (drop > 0) this.tail.splice(0, drop);
  }
}
