import { createInterface } from 'node:readline';

/** A stream of JSON values, one per line. Skips invalid lines. */
export async function* jsonLines<TMessage>(stream: NodeJS.ReadableStream): AsyncGenerator<TMessage> {
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    let message: TMessage;
    try {
      message = JSON.parse(line) as TMessage;
    } catch {
      continue;
    }
    yield message;
  }
}
