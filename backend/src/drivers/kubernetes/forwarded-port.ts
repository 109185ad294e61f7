import { Duplex } from 'node:stream';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { guarded } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';
import { asBuffer, openChannels } from './channel-socket.js';

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

/** Ends when the program closes it, and fails with the kubelet's message if no program listens. */
class ForwardedPort extends Duplex {
  /** Missing bytes of each channel's preamble. */
  private readonly preamble = [PREAMBLE, PREAMBLE];
  private finished: ((error?: Error | null) => void) | undefined;
  private lingering: NodeJS.Timeout | undefined;

  constructor(private readonly socket: WebSocket) {
    super({ allowHalfOpen: true, highWaterMark: FORWARD_BUFFER });
    const receive = guarded((message: RawData) => this.receive(asBuffer(message)), this);
    socket.on('message', receive);
    socket.on('close', () => {
      this.push(null);
      this.finish();
    });
    socket.on('error', (error) => this.destroy(error));
  }

  override _read(): void {
    this.socket.resume();
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
    clearTimeout(this.lingering);
    this.socket.terminate();
    done(error);
  }

  private receive(frame: Buffer): void {
    const channel = frame[0] ?? DATA;
    const missing = Math.min(this.preamble[channel] ?? 0, frame.length - 1);
    this.preamble[channel] = (this.preamble[channel] ?? 0) - missing;
    const data = frame.subarray(1 + missing);
    if (data.length === 0) return;
    if (channel !== DATA) {
      this.destroy(new Error(reasonIn(data.toString('utf8'))));
    } else {
      if (this.finished) this.linger();
      if (!this.push(data)) this.socket.pause();
    }
  }

  private linger(): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => this.socket.close(), LINGER_MS);
  }

  private finish(): void {
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
  return await openChannels(url, [PROTOCOL], tls, (socket) => new ForwardedPort(socket));
}

/** Replaces a common message of kubelets, which is about sandboxes and their paths. */
function reasonIn(said: string): string {
  if (said.includes('connection refused')) return 'no program listens on this port of the Pod';
  return said.trim().slice(0, 1000);
}
