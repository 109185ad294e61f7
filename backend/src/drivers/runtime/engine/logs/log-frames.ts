import type { LogPiece, LogStream } from '../../container-logs.js';
import { LONGEST_PREFIX, TimePrefix } from './time-prefix.js';

/** Before each frame: its stream, three empty bytes, and its length. https://docs.docker.com/reference/api/engine/ */
const HEADER_BYTES = 8;
const STREAMS: readonly (LogStream | null)[] = [null, 'stdout', 'stderr'];
/** What the engine itself has to say: it could not read on. */
const ENGINES_OWN = 3;
const NEWLINE = 0x0a;

/** More of one frame is not waited for: its beginning is handed on. */
const MOST_HELD_BYTES = 64 * 1024;
/**
 * Longest frame that is believed. Docker cuts lines at 16 KB; Podman 4 sends a line whole where only an end of the log
 * is asked for, so a long line is no reason to give up, and a header out of something else is.
 */
const LONGEST_FRAME = 256 * 1024 * 1024;

/** What an engine sends cannot be a log. The message completes "the log cannot be read: …". */
export class BrokenFrame extends Error {}

/** Takes a log apart that is not a terminal's: frames with a header, each a line or a part of one with its time. */
export class LogFrames {
  private readonly prefix = new TimePrefix();
  /** A frame that has not come whole. */
  private rest: Buffer | undefined;
  /** Bytes that are still to come of a frame whose beginning was handed on. */
  private remaining = 0;
  private stream: LogStream | null = null;

  /** @throws BrokenFrame */
  push(chunk: Buffer, pieces: LogPiece[]): void {
    const bytes = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = undefined;
    let at = 0;
    while (at < bytes.length) {
      const available = bytes.length - at;
      if (this.remaining > 0) {
        const taken = Math.min(this.remaining, available);
        this.remaining -= taken;
        this.cut(bytes, at, at + taken, pieces);
        at += taken;
        continue;
      }
      if (available < HEADER_BYTES) break;
      const length = bytes.readUInt32BE(at + 4);
      this.checkHeader(bytes, at, length);
      const isWhole = available >= HEADER_BYTES + length;
      if (!isWhole && available < MOST_HELD_BYTES) break;
      const kind = bytes[at] as number;
      const from = at + HEADER_BYTES;
      const to = isWhole ? from + length : bytes.length;
      if (kind === ENGINES_OWN) throw new BrokenFrame(bytes.toString('utf8', from, to).trim());
      this.stream = STREAMS[kind] ?? null;
      const prefixed = this.prefix.read(bytes, from, Math.min(to, from + LONGEST_PREFIX));
      if (prefixed === 0) this.prefix.time ||= Date.now() * 1000;
      this.remaining = length - (to - from);
      this.cut(bytes, from + prefixed, to, pieces);
      at = to;
    }
    if (at < bytes.length) this.rest = bytes.subarray(at);
  }

  /** @throws BrokenFrame where the log ends within a frame. */
  end(): void {
    if (this.rest || this.remaining > 0) throw new BrokenFrame('it ended in the middle of a line');
  }

  private checkHeader(bytes: Buffer, at: number, length: number): void {
    const kind = bytes[at] as number;
    const isEmpty = bytes[at + 1] === 0 && bytes[at + 2] === 0 && bytes[at + 3] === 0;
    if (kind <= ENGINES_OWN && isEmpty && length <= LONGEST_FRAME) return;
    const header = bytes.toString('hex', at, at + HEADER_BYTES);
    throw new BrokenFrame(`what the engine sends are no frames of a log (${header})`);
  }

  /** A frame holds one line; one that holds more is cut all the same. */
  private cut(bytes: Buffer, from: number, to: number, pieces: LogPiece[]): void {
    const { stream } = this;
    const { time, nanos } = this.prefix;
    for (let at = from; at < to;) {
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline < 0 || newline >= to ? to : newline + 1;
      pieces.push({ stream, time, nanos, data: bytes.subarray(at, end) });
      at = end;
    }
  }
}
