import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends bytes of a container as a file to save, never to display.
 * @throws the error of `content` if nothing has been sent; later, the connection is closed without a proper end
 */
export async function sendContent(
  response: Response,
  name: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  response.attachment(name);
  response.type('application/octet-stream');
  try {
    await pipeline(from(first, pieces), response, { signal });
  } catch {
    response.destroy();
  }
}

async function* from(first: IteratorResult<Buffer>, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}
