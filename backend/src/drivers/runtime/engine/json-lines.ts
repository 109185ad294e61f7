import { createInterface } from 'node:readline';

/** A stream of JSON values, one a line. A line that is none is an engine's bug and passed over. */
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
