import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { guarded } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';

const HANDSHAKE_MS = 10_000;
/** Kubelets send frames of 32 kB. */
const MAX_FRAME = 16_000_000;

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
      readText(answer, reject, (text) => {
        resolve({ status: answer.statusCode ?? 0, text });
        request.destroy();
        stream.destroy();
      });
    });
    socket.once('open', () => resolve(stream));
  });
}

/** The beginning of a response that rejects a WebSocket. */
export function readText(answer: IncomingMessage, fail: (error: unknown) => void, done: (text: string) => void): void {
  let text = '';
  answer.setEncoding('utf8');
  const take = guarded((piece: string) => (text = (text + piece).slice(0, 10_000)), fail);
  answer.on('data', take);
  answer.on('end', () => done(text));
  answer.on('error', fail);
}

export function asBuffer(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) return message;
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}
