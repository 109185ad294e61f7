import type { LogPiece } from '../../container-logs.js';
import { isBeginningOfTime, LONGEST_PREFIX, TimePrefix } from './time-prefix.js';

const NEWLINE = 0x0a;

/** Parses a log with times and without headers, of a terminal or a Pod. Returns incomplete lines in parts. */
export class TimedLines {
  private readonly prefix = new TimePrefix();
  /** The beginning of a line, or of the next part of one, with an incomplete time. */
  private rest: Buffer | undefined;
  /** The parsed part of the current line. */
  private line: 'nothing' | 'time' | 'part' = 'nothing';

  /** @param chunk as sent by the engine: the next part of a long line starts with a time again. */
  push(chunk: Buffer, pieces: LogPiece[]): void {
    const bytes = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = undefined;
    let at = 0;
    if (this.line === 'part') {
      at = this.prefix.read(bytes, 0, Math.min(bytes.length, LONGEST_PREFIX));
      // Over a network, chunks may be split anywhere.
      if (at === 0 && isBeginningOfTime(bytes)) {
        this.rest = bytes;
        return;
      }
    }
    while (at < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline < 0 ? bytes.length : newline + 1;
      if (this.line === 'nothing') {
        const length = this.prefix.read(bytes, at, Math.min(end, at + LONGEST_PREFIX));
        if (length === 0 && newline < 0 && end - at < LONGEST_PREFIX) {
          this.rest = bytes.subarray(at);
          return;
        }
        if (length === 0) this.prefix.time ||= Date.now() * 1000;
        else this.line = 'time';
        at += length;
      }
      if (end === at) continue;
      const { time, nanos } = this.prefix;
      pieces.push({ stream: null, time, nanos, data: bytes.subarray(at, end) });
      this.line = newline < 0 ? 'part' : 'nothing';
      at = end;
    }
  }

  /** Returns an incomplete rest as it is. */
  end(pieces: LogPiece[]): void {
    if (this.rest) {
      pieces.push({ stream: null, time: this.prefix.time || Date.now() * 1000, data: this.rest });
    }
    this.rest = undefined;
  }
}
