import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { guarded } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';

const HANDSHAKE_MS = 10_000;
/** Kubelets send frames of 32 kB. */
const MAX_FRAME = 16_000_000;
const READ_BYTES = 64 * 1024;

/**
 * Opens a WebSocket whose binary frames start with the number of a channel, as the API server uses for ports and programs.
 * @param protocols in the order of preference.
 * @returns a response instead if the server rejects the request.
 */
export async function openChannels<Stream extends Duplex>(
  url: URL,
  protocols: string[],
  tls: ClientOptions,
  streamOf: (socket: WebSocket) => Stream,
): Promise<Stream | ApiResponse> {
  return await new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, {
      ...tls,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
    });
    // Created before the handshake ends, since the first frames may arrive with it.
    const stream = streamOf(socket);
    // Kept: the stream may fail before the caller has it, and an error without a listener ends the process.
    stream.on('error', reject);
    socket.once('unexpected-response', (request, answer) => {
      let text = '';
      answer.setEncoding('utf8');
      const take = guarded((piece: string) => (text = (text + piece).slice(0, 10_000)), reject);
      answer.on('data', take);
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text });
        request.destroy();
        stream.destroy();
      });
      answer.on('error', reject);
    });
    socket.once('open', () => resolve(stream));
  });
}

/**
 * A socket for a stream that reads the frames itself: `ws` copies each of them to a new buffer. It reads into the same
 * memory again and again. `ws` still opens the WebSocket, and writes.
 */
export class ReusedSocket {
  private socket: Socket | undefined;
  private isAdopted = false;
  private read = (bytes: Buffer): boolean => this.socket?.push(Buffer.from(bytes)) ?? false;

  /** For `ws`, which calls it with options only. */
  readonly connect = (options: ConnectionOptions): Socket => {
    const onread: OnReadOpts = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length, bytes) => this.read(Buffer.from(bytes.buffer, bytes.byteOffset, length)),
    };
    const { host = '', port = 0 } = options;
    // As `ws` does: an address is no name for a certificate.
    const names = { servername: isIP(host) ? '' : host, ...options, path: undefined, onread };
    this.socket = this.encrypted ? connectTls(names) : connectPlain({ host, port, onread });
    return this.socket;
  };

  constructor(private readonly encrypted: boolean) {}

  /** Takes a socket that another has opened, unless `connect` did. */
  adopt(socket: Socket): void {
    if (this.socket) return;
    this.socket = socket;
    this.isAdopted = true;
  }

  /**
   * To be called when the WebSocket opens.
   * @param read receives all that follows the handshake, valid during the call only. At `false` the socket pauses.
   */
  take(read: (bytes: Buffer) => boolean): void {
    this.read = read;
    this.socket?.removeAllListeners('data');
    for (let rest: unknown; Buffer.isBuffer((rest = this.socket?.read()));) read(rest);
    const { socket } = this;
    if (socket && this.isAdopted) {
      const pass = (bytes: Buffer): void => {
        if (!read(bytes)) socket.pause();
      };
      socket.on('data', guarded(pass, socket));
    }
    socket?.resume();
  }

  resume(): void {
    this.socket?.resume();
  }
}

export function asBuffer(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) return message;
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}
