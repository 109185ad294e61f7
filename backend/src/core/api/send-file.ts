import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DomainError } from '../errors/index.js';

const pack = promisify(gzip);

/** Why a file is not whole. */
export interface FileFailure {
  code: string;
  message: string;
}

export interface SentFile {
  /** Whether each piece is packed. Packed pieces, one after the other, are one packed file (RFC 1952, 2.2). */
  packed: boolean;
  /** Given when whoever asked went away. */
  signal: AbortSignal;
  /** What a file ends with that is not whole. */
  lastWords: (failure: FileFailure) => string;
}

/**
 * Sends pieces as the body of an answer, each once the one before was taken. Where they end by an error, the body says
 * so at its end, and the connection breaks off without the end of an answer: neither a person nor a program takes it
 * for whole.
 * @throws whatever they end by, unless whoever asked went away; `headersSent` tells whether the answer had begun
 */
export async function sendFile(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  { packed, signal, lastWords }: SentFile,
): Promise<void> {
  const bodyOf = async (text: string): Promise<string | Buffer> => (packed ? await pack(text) : text);
  try {
    for await (const piece of pieces) {
      const body = await bodyOf(piece);
      if (!response.write(body)) await once(response, 'drain', { signal });
    }
    // A packed file of nothing is not an empty one.
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

/** The time, for the name of a file: `2026-11-21T09-26-44`, in UTC. */
export function fileTimestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}

function failureOf(error: unknown): FileFailure {
  if (!(error instanceof DomainError)) {
    return { code: 'internal', message: 'Something went wrong inside Slipway, whose log has the details.' };
  }
  return { code: error.code, message: error.message };
}
