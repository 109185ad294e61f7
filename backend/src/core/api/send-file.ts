import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DomainError } from '../errors/index.js';

const compress = promisify(gzip);

/** Why a file is incomplete. */
export interface FileFailure {
  code: string;
  message: string;
}

export interface SentFile {
  /** Whether each piece is compressed. Gzip members in sequence are one valid file (RFC 1952, 2.2). */
  packed: boolean;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** The last line of an incomplete file. */
  lastWords: (failure: FileFailure) => string;
}

/**
 * Streams pieces as the body of a response, with backpressure. On an error, the body ends with the failure and the
 * connection closes without a proper end, so that no client takes the file for complete.
 * @throws the error of `pieces`, unless the client has disconnected; `headersSent` tells whether streaming had started
 */
export async function sendFile(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  { packed, signal, lastWords }: SentFile,
): Promise<void> {
  const bodyOf = async (text: string): Promise<string | Buffer> => (packed ? await compress(text) : text);
  try {
    for await (const piece of pieces) {
      const body = await bodyOf(piece);
      if (!response.write(body)) await once(response, 'drain', { signal });
    }
    // A gzip file without content is not an empty file.
    response.end(response.headersSent ? undefined : await bodyOf(''));
  } catch (error) {
    if (signal.aborted) {
      response.destroy();
      return;
    }
    if (response.headersSent) {
      const body = await bodyOf(lastWords(failureOf(error)));
      await new Promise<void>((resolve) => {
        response.once('close', resolve);
        response.write(body, () => resolve());
      });
      response.destroy();
    }
    throw error;
  }
}

/** The current time in UTC for a file name: `2026-11-21T09-26-44`. */
export function fileTimestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}

function failureOf(error: unknown): FileFailure {
  if (!(error instanceof DomainError)) {
    return { code: 'internal', message: 'Something went wrong inside Slipway. Its log has the details.' };
  }
  return { code: error.code, message: error.message };
}
