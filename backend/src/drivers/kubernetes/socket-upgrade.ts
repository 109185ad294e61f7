import { createHash, randomBytes } from 'node:crypto';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { guarded } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';
import { readText } from './channel-socket.js';

const HANDSHAKE_MS = 10_000;
const READ_BYTES = 64 * 1024;
/** RFC 6455, 4.2.2. */
const ACCEPTED = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export type UpgradeOptions = ConnectionOptions & { headers?: OutgoingHttpHeaders };
/** Receives what the socket reads, which is valid during the call only. The socket pauses at `false`. */
type Read = (bytes: Buffer) => boolean;

/**
 * Opens a WebSocket without a reader of its frames. It reads into the same memory again and again.
 * @param streamOf is called in the turn in which the handshake ends. Its `Read` receives all that follows.
 * @returns a response instead if the server rejects the request.
 */
export async function upgrade<Stream extends Duplex>(
  url: URL,
  protocol: string,
  { headers, ...tls }: UpgradeOptions,
  streamOf: (socket: Socket) => { stream: Stream; read: Read },
): Promise<Stream | ApiResponse> {
  const key = randomBytes(16).toString('base64');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return await new Promise((resolve, reject) => {
    let read: Read = (bytes) => socket.push(Buffer.from(bytes));
    const onread: OnReadOpts = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length, bytes) => read(Buffer.from(bytes.buffer, bytes.byteOffset, length)),
    };
    const address = { host, port: Number(url.port || 443), onread };
    const socket: Socket =
      url.protocol === 'wss:'
        ? connectTls({ servername: isIP(host) ? '' : host, ...tls, ...address } as ConnectionOptions)
        : connect(address);
    const opening = request({
      createConnection: () => socket,
      host,
      port: address.port,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': key,
        'Sec-WebSocket-Protocol': protocol,
      },
    });
    const late = setTimeout(
      guarded(() => opening.destroy(new Error('the API server does not accept the WebSocket')), reject),
      HANDSHAKE_MS,
    );
    opening.once('close', () => clearTimeout(late));
    opening.once('error', reject);
    opening.once(
      'response',
      guarded((response: IncomingMessage) => {
        readText(response, reject, (text) => resolve({ status: response.statusCode ?? 0, text }));
      }, reject),
    );
    const accept = (response: IncomingMessage, _socket: Duplex, head: Buffer): void => {
      clearTimeout(late);
      if (!isAccepted(response, key, protocol)) {
        socket.destroy();
        throw new Error('the API server accepted a WebSocket with an invalid response');
      }
      socket.setTimeout(0).setNoDelay();
      const { stream, read: next } = streamOf(socket);
      // Kept: the stream may fail before the caller has it, and an error without a listener ends the process.
      stream.on('error', reject);
      read = next;
      read(head);
      for (let rest: unknown; Buffer.isBuffer((rest = socket.read())); ) read(rest);
      socket.resume();
      resolve(stream);
    };
    opening.once('upgrade', guarded(accept, reject));
    opening.end();
  });
}

function isAccepted({ headers }: IncomingMessage, key: string, protocol: string): boolean {
  const expected = createHash('sha1')
    .update(key + ACCEPTED)
    .digest('base64');
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-accept'] === expected &&
    headers['sec-websocket-protocol'] === protocol &&
    headers['sec-websocket-extensions'] === undefined
  );
}
