import { createInterface } from 'node:readline';
import { jsonValue } from '../../../core/values/index.js';

/** A stream of JSON values, one per line. Skips invalid lines. */
export async function* jsonLines<TMessage>(stream: NodeJS.ReadableStream): AsyncGenerator<TMessage> {
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    const message = jsonValue(line);
    if (message !== undefined) yield message as TMessage;
  }
}
