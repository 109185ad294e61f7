import type { Duplex } from 'node:stream';
import { guarded } from '../../core/errors/index.js';

/** Output that the client may leave unacknowledged. More only fills memory. */
const MAX_OUTPUT = 512 * 1024;
const RESUME_OUTPUT = MAX_OUTPUT / 2;
/** Input that the program may leave unread. A client that waits for acknowledgments stays far below. */
const MAX_PENDING = 1024 * 1024;
/** Typed keys need no acknowledgment of their own. */
const ACKNOWLEDGED_INPUT = 16 * 1024;
/** Memory that a buffered frame takes beside its bytes. */
const FRAME_BYTES = 64;

export interface FlowListener {
  onOutput: (data: Buffer) => void;
  /** The program has read this many bytes since the last call. */
  onAcknowledge: (bytes: number) => void;
}

/**
 * Flow control between a program and a client in both directions, by bytes that the receiver has processed. The socket cannot
 * do it: while it is not read, neither acknowledgments nor its end arrive.
 */
export class ShellFlow {
  private unacknowledged = 0;
  private pendingInput = 0;
  private readInput = 0;

  constructor(
    private readonly stream: Duplex,
    private readonly listener: FlowListener,
  ) {
    const take = guarded((data: Buffer) => {
      this.unacknowledged += data.length;
      if (this.unacknowledged > MAX_OUTPUT) stream.pause();
      listener.onOutput(data);
    }, stream);
    stream.on('data', take);
    // Reading the process id has paused it.
    stream.resume();
  }

  /** @returns false if the client acknowledges bytes that it has not received */
  acknowledge(bytes: unknown): boolean {
    if (!Number.isSafeInteger(bytes) || Number(bytes) < 0 || Number(bytes) > this.unacknowledged) {
      return false;
    }
    this.unacknowledged -= Number(bytes);
    if (this.unacknowledged < RESUME_OUTPUT && this.stream.isPaused()) this.stream.resume();
    return true;
  }

  /** @returns false if the client sends more than the program reads */
  input(data: Buffer): boolean {
    const cost = data.length + FRAME_BYTES;
    this.pendingInput += cost;
    if (this.pendingInput > MAX_PENDING) return false;
    if (!this.stream.writable) return true;
    this.stream.write(data, () => {
      this.pendingInput -= cost;
      this.readInput += data.length;
      if (this.readInput < ACKNOWLEDGED_INPUT) return;
      this.listener.onAcknowledge(this.readInput);
      this.readInput = 0;
    });
    return true;
  }
}
