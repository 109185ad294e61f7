import type { LogPiece, LogStream } from '../../container-logs.js';
import { LONGEST_PREFIX, TimePrefix } from './time-prefix.js';

/** Header of a frame: stream, three zero bytes, length. https://docs.docker.com/reference/api/engine/ */
const HEADER_BYTES = 8;
const STREAMS: readonly (LogStream | null)[] = [null, 'stdout', 'stderr'];
/** An error message of the engine, which could not read the log. */
const SYSTEM_ERROR = 3;
const NEWLINE = 0x0a;

const MAX_BUFFERED_BYTES = 64 * 1024;
/**
 * A larger length means that the header is invalid. Docker splits lines at 16 KB, but Podman 4 sends long lines as one
 * frame if only the tail is requested.
 */
const MAX_FRAME = 256 * 1024 * 1024;

/** The data of an engine is not a valid log. */
export class BrokenFrame extends Error {}

/** Parses the log of a container without a terminal: frames with a header, each a line or a part of one with its time. */
export class LogFrames {
  private readonly prefix = new TimePrefix();
  private rest: Buffer | undefined;
  /** Missing bytes of a frame that is returned in parts. */
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
      if (!isWhole && available < MAX_BUFFERED_BYTES) break;
      const kind = bytes[at] as number;
      const from = at + HEADER_BYTES;
      const to = isWhole ? from + length : bytes.length;
      if (kind === SYSTEM_ERROR) throw new BrokenFrame(bytes.toString('utf8', from, to).trim());
      this.stream = STREAMS[kind] ?? null;
      const prefixed = this.prefix.read(bytes, from, Math.min(to, from + LONGEST_PREFIX));
      if (prefixed === 0) this.prefix.time ||= Date.now() * 1000;
      this.remaining = length - (to - from);
      this.cut(bytes, from + prefixed, to, pieces);
      at = to;
    }
    if (at < bytes.length) this.rest = bytes.subarray(at);
  }

  /** @throws BrokenFrame if the last frame is incomplete. */
  end(): void {
    if (this.rest || this.remaining > 0) throw new BrokenFrame('it ended in the middle of a line');
  }

  private checkHeader(bytes: Buffer, at: number, length: number): void {
    const kind = bytes[at] as number;
    const isEmpty = bytes[at + 1] === 0 && bytes[at + 2] === 0 && bytes[at + 3] === 0;
    if (kind <= SYSTEM_ERROR && isEmpty && length <= MAX_FRAME) return;
    const header = bytes.toString('hex', at, at + HEADER_BYTES);
    throw new BrokenFrame(`the engine sent an invalid frame header (${header})`);
  }

  /** Splits a frame into lines. Usually, it contains one. */
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
