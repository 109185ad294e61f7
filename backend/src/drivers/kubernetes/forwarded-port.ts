import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { WebSocket, type ClientOptions } from 'ws';
import { asError, guarded } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';
import { openChannels, ReusedSocket } from './channel-socket.js';
import { ReusedMemory } from './reused-memory.js';
import { FrameReader, OPCODE } from './socket-frames.js';

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

  constructor(
    private readonly socket: WebSocket,
    private readonly source: ReusedSocket,
  ) {
    super({ allowHalfOpen: true, highWaterMark: FORWARD_BUFFER });
    socket.on('open', () => source.take((bytes) => this.readFrames(bytes)));
    socket.on('close', () => this.finish());
    socket.on('error', (error) => this.destroy(error));
  }

  override _read(): void {
    this.isFull = false;
    if (this.socket.readyState !== WebSocket.CONNECTING) this.source.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.send(Buffer.concat([Buffer.of(DATA), chunk]), { binary: true }, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.finished = done;
    if (this.socket.readyState === WebSocket.CLOSED) this.finish();
    else this.linger();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.isEnded = true;
    clearTimeout(this.lingering);
    clearImmediate(this.flushing);
    this.socket.terminate();
    done(error);
  }

  /** @returns whether to read on */
  private readFrames(bytes: Buffer): boolean {
    try {
      if (!this.isEnded) this.frames.read(bytes);
    } catch (error) {
      this.destroy(asError(error));
    }
    return !this.isFull;
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
    if (this.flushing) return;
    // Together with what else arrives in this turn: a TLS record has 16 kB.
    const flush = (): void => {
      this.flushing = undefined;
      this.memory.flush();
    };
    this.flushing = setImmediate(guarded(flush, (error) => this.destroy(asError(error))));
  }

  private control(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.ping) this.socket.pong(payload);
    if (opcode !== OPCODE.close) return;
    this.socket.close();
    this.finish();
  }

  private linger(): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => this.socket.close(), LINGER_MS);
  }

  /** Nothing more comes. */
  private finish(): void {
    if (!this.isEnded) {
      this.isEnded = true;
      clearImmediate(this.flushing);
      this.memory.flush();
      this.push(null);
    }
    clearTimeout(this.lingering);
    this.finished?.();
    this.finished = undefined;
  }
}

/**
 * @param url of the subresource `portforward` with the port.
 * @returns a response instead if the server rejects the request.
 */
export async function openPort(url: URL, tls: ClientOptions): Promise<Duplex | ApiResponse> {
  const source = new ReusedSocket(url.protocol === 'wss:');
  return await openChannels(
    url,
    [PROTOCOL],
    // Through a proxy, its agent opens the socket.
    tls.agent ? tls : { ...tls, createConnection: source.connect as ClientOptions['createConnection'] },
    (socket) => {
      const port = new ForwardedPort(socket, source);
      const adopt = ({ socket: opened }: IncomingMessage): void => source.adopt(opened);
      socket.once('upgrade', guarded(adopt, port));
      return port;
    },
  );
}

/** Replaces a common message of kubelets, which is about sandboxes and their paths. */
function reasonIn(said: string): string {
  if (said.includes('connection refused')) return 'no program listens on this port of the Pod';
  return said.trim().slice(0, 1000);
}
