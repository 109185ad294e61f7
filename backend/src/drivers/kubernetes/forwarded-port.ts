import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { asError, guarded } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';
import { ReusedMemory } from './reused-memory.js';
import { FrameReader, frameOf, OPCODE } from './socket-frames.js';
import { upgrade, type UpgradeOptions } from './socket-upgrade.js';

/** The port-forward protocol that all versions support: binary frames whose first byte is the channel. */
const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
/** Both channels start with two bytes for the port. */
const PREAMBLE = 2;
/** Bytes that wait in each direction of a connection. More of them means fewer and larger reads and writes. */
export const FORWARD_BUFFER = 256 * 1024;
/**
 * The protocol has no half-close. After the client has sent everything, the connection stays open until the program
 * sends nothing for this time.
 */
const LINGER_MS = 5000;
const MAX_REASON = 10_000;
/** Time in which the server answers the end of the WebSocket. */
const CLOSING_MS = 5000;
/** Status 1000. */
const NORMAL_CLOSURE = Buffer.from([0x03, 0xe8]);

/** Ends when the program closes it, and fails with the kubelet's message if no program listens. */
class ForwardedPort extends Duplex {
  /** Missing bytes of each channel's preamble. */
  private readonly preamble = [PREAMBLE, PREAMBLE];
  private readonly memory = new ReusedMemory(FORWARD_BUFFER, (chunk) => (this.isFull = !this.push(chunk)));
  private readonly frames = new FrameReader({
    data: (piece, isFirst, isLast) => this.receive(piece, isFirst, isLast),
    control: (opcode, payload) => this.control(opcode, payload),
  });
  private channel = DATA;
  private reason = '';
  private isFull = false;
  private isEnded = false;
  private flushing: NodeJS.Immediate | undefined;
  private finished: ((error?: Error | null) => void) | undefined;
  private lingering: NodeJS.Timeout | undefined;

  constructor(private readonly socket: Socket) {
    super({ allowHalfOpen: true, highWaterMark: FORWARD_BUFFER });
    socket.on('end', () => this.finish());
    socket.on('close', () => this.finish());
    socket.on('error', (error) => this.destroy(error));
  }

  /** @returns whether to read on */
  receiveBytes(bytes: Buffer): boolean {
    try {
      if (!this.isEnded) this.frames.read(bytes);
    } catch (error) {
      this.destroy(asError(error));
    }
    return !this.isFull;
  }

  override _read(): void {
    this.isFull = false;
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(frameOf(OPCODE.binary, Buffer.of(DATA), chunk), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.finished = done;
    if (this.isEnded) this.finish();
    else this.linger();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.isEnded = true;
    clearTimeout(this.lingering);
    clearImmediate(this.flushing);
    this.socket.destroy();
    done(error);
  }

  private receive(piece: Buffer, isFirst: boolean, isLast: boolean): void {
    if (isFirst) this.channel = piece[0] ?? DATA;
    const start = isFirst ? 1 : 0;
    const missing = Math.min(this.preamble[this.channel] ?? 0, piece.length - start);
    this.preamble[this.channel] = (this.preamble[this.channel] ?? 0) - missing;
    const data = piece.subarray(start + missing);
    if (data.length === 0) return;
    if (this.channel !== DATA) {
      this.reason += data.toString('utf8');
      if (isLast || this.reason.length > MAX_REASON) throw new Error(reasonIn(this.reason));
      return;
    }
    if (this.finished) this.linger();
    this.memory.add(data);
    // Together with what else arrives in this turn: a TLS record has 16 kB.
    this.flushing ??= setImmediate(
      guarded(
        () => this.flush(),
        (error) => this.destroy(asError(error)),
      ),
    );
  }

  private flush(): void {
    this.flushing = undefined;
    this.memory.flush();
  }

  private control(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.ping) this.socket.write(frameOf(OPCODE.pong, payload));
    if (opcode !== OPCODE.close) return;
    this.close(payload.subarray(0, 2));
    this.finish();
  }

  private linger(): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(
      guarded(
        () => this.close(NORMAL_CLOSURE),
        (error) => this.destroy(asError(error)),
      ),
      LINGER_MS,
    );
  }

  private close(status: Buffer): void {
    clearTimeout(this.lingering);
    this.socket.end(frameOf(OPCODE.close, status));
    this.lingering = setTimeout(() => this.socket.destroy(), CLOSING_MS).unref();
  }

  /** Nothing more comes. */
  private finish(): void {
    if (!this.isEnded) {
      this.isEnded = true;
      clearImmediate(this.flushing);
      this.memory.flush();
      this.push(null);
    }
    this.finished?.();
    this.finished = undefined;
  }
}

/**
 * @param url of the subresource `portforward` with the port.
 * @returns a response instead if the server rejects the request.
 */
export async function openPort(url: URL, options: UpgradeOptions): Promise<Duplex | ApiResponse> {
  return await upgrade(url, PROTOCOL, options, (socket) => {
    const stream = new ForwardedPort(socket);
    return { stream, read: (bytes) => stream.receiveBytes(bytes) };
  });
}

/** Replaces a common message of kubelets, which is about sandboxes and their paths. */
function reasonIn(said: string): string {
  if (said.includes('connection refused')) return 'no program listens on this port of the Pod';
  return said.trim().slice(0, 1000);
}
