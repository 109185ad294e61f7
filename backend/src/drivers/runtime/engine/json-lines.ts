import { createInterface } from 'node:readline';
import { jsonValue, type Reader } from '../../../core/parsing/index.js';

/** A stream of JSON values, one per line. Skips lines that cannot be read. */
export async function* jsonLines<TMessage>(
  stream: NodeJS.ReadableStream,
  reader: Reader<TMessage>,
): AsyncGenerator<TMessage> {
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    const message = reader(jsonValue(line));
    if (message !== undefined) yield message;
  }
}
