import { connect } from 'node:net';
import { ChunkedBody } from './chunked-body.js';
import { ReceivedChunks } from './received-chunks.js';

const READ_BYTES = 64 * 1024;
/** More than an engine's head has, and than it says of a refusal. */
const MOST_HEAD_BYTES = 64 * 1024;
const HEAD_ENDS = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/**
 * An engine writes each line of a log by itself. To read each by itself costs more than all that is done with it; so
 * where they come by the thousand, some are let gather. Half of this is added to the way of a line then.
 */
const GATHER_MS = 2;
/** So much within so long is a flood: a megabyte a second, some five thousand lines. */
const FLOOD_BYTES = 10_000;
const FLOOD_MS = 10;
/** A read that holds so much is worth its while. */
const LARGE_READ_BYTES = 16 * 1024;

/** An engine refused. Has what the client of its other calls gives to an error. */
class RefusedAnswer extends Error {
  constructor(
    readonly statusCode: number,
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * Asks an engine for a stream over its socket, and gives the stream's bytes as they come. Node's own client hands on
 * every chunk by itself, and an engine makes one of every line of a log: at 50,000 lines in a second that alone takes
 * more than half a core (`npm run bench -- live`). Here many are read at once.
 * @param path with its query, made of what cannot leave the first line
 * @param tellsParts whether each part of a line that the engine sent by itself comes by itself
 * @throws Error with `code` where nobody answers or the answer breaks off, with `statusCode` where it is refused, and
 * the signal's reason
 */
export async function streamedAnswer(
  socketPath: string,
  path: string,
  signal: AbortSignal,
  tellsParts = false,
): Promise<AsyncGenerator<Buffer[]>> {
  if (/\s/.test(path)) throw new Error('a path has no white space');
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<AsyncGenerator<Buffer[]>>();
  const answer = new Answer(tellsParts);
  const flood = new Flood();
  let gathering: NodeJS.Timeout | undefined;

  const socket = connect({
    path: socketPath,
    onread: {
      // Not filled: of a container that writes little only the first pages are ever in memory.
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (count, buffer) => {
        take(buffer.subarray(0, count));
        if (received.isFull || !flood.rises(count) || count > LARGE_READ_BYTES) return true;
        gathering = setTimeout(goOn, GATHER_MS);
        return false;
      },
    },
  });
  const goOn = (): void => {
    gathering = undefined;
    if (!received.isFull) socket.resume();
  };
  const close = (): void => {
    signal.removeEventListener('abort', abort);
    clearTimeout(gathering);
    socket.destroy();
  };
  const received = new ReceivedChunks({
    pause: () => socket.pause(),
    resume: () => (gathering ? undefined : socket.resume()),
    close,
  });
  const finish = (failure?: Error): void => {
    reject(failure ?? new Error('it ended'));
    received.end(failure);
    close();
  };
  const abort = (): void => finish(signal.reason as Error);
  const take = (bytes: Uint8Array): void => {
    try {
      const wasAccepted = answer.isAccepted;
      const parts = answer.take(bytes);
      if (answer.isAccepted && !wasAccepted) resolve(received.read());
      for (const part of parts) received.push(part);
      if (answer.isOver) {
        received.end();
        close();
      }
    } catch (error) {
      finish(error as Error);
    }
  };
  socket.once('error', finish);
  socket.once('close', () => finish(answer.whyEnded()));
  signal.addEventListener('abort', abort, { once: true });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return promise;
}

/** An answer as it comes: its head, and a body that is chunked or lasts as long as the connection. */
class Answer {
  isAccepted = false;
  private status = 0;
  private head = Buffer.alloc(0);
  private body: ChunkedBody | undefined;

  constructor(private readonly tellsParts: boolean) {}

  /** Whether its end has come, which only a chunked one tells. */
  get isOver(): boolean {
    return this.body?.isOver ?? false;
  }

  /** What is in these bytes of its body. @throws Error where it is no answer, and `statusCode` where it is refused */
  take(bytes: Uint8Array): Buffer[] {
    if (this.isAccepted) return this.inBody(bytes);
    this.head = Buffer.concat([this.head, bytes]);
    const end = this.head.indexOf(HEAD_ENDS);
    if (end < 0 || this.status !== 0) {
      if (this.head.length > MOST_HEAD_BYTES) throw this.refusal() ?? new Error('what answers is no engine');
      return [];
    }
    const head = this.head.toString('latin1', 0, end);
    const [, status] = /^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(head) ?? [];
    if (!status) throw new Error('what answers is no engine');
    const rest = this.head.subarray(end + HEAD_ENDS.length);
    this.status = Number(status);
    this.isAccepted = this.status === 200;
    if (/\r\ntransfer-encoding:[^\r]*chunked/i.test(head)) {
      // Of a refusal all that came is told, also where it breaks off.
      this.body = new ChunkedBody(this.tellsParts && this.isAccepted);
    }
    this.head = NOTHING;
    // What a refusal says follows, until the connection ends.
    return this.isAccepted ? this.inBody(rest) : this.take(rest);
  }

  /** What to fail with when the connection has ended; undefined where that was the end of the answer. */
  whyEnded(): Error | undefined {
    if (this.isAccepted && (!this.body || this.body.isOver)) return undefined;
    return this.refusal() ?? Object.assign(new Error('it closed the connection'), { code: 'ECONNRESET' });
  }

  private inBody(bytes: Uint8Array): Buffer[] {
    if (this.body) return this.body.take(bytes);
    return bytes.length > 0 ? [Buffer.from(bytes)] : [];
  }

  private refusal(): Error | undefined {
    if (this.status === 0 || this.isAccepted) return undefined;
    return new RefusedAnswer(this.status, reasonIn(Buffer.concat(this.inBody(this.head))));
  }
}

/** Whether so much comes that what is let gather is read at once. */
class Flood {
  private since = 0;
  private bytes = 0;
  private before = 0;

  rises(count: number): boolean {
    const now = performance.now();
    if (now - this.since > FLOOD_MS) {
      this.before = now - this.since > 2 * FLOOD_MS ? 0 : this.bytes;
      this.since = now;
      this.bytes = 0;
    }
    this.bytes += count;
    return Math.max(this.bytes, this.before) > FLOOD_BYTES;
  }
}

/** The engine's own words: `{"message": "No such container: …"}`. */
function reasonIn(body: Buffer): string {
  const text = body.toString('utf8').trim();
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}
