import type { ServerMessage, ClientMessage } from '../../../modules/log-live/index.js';
import type { LineDto, WireLine } from '../../../modules/log-lines/index.js';
import { jsonValue } from '../../../core/parsing/index.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { CliError, EXIT } from '../cli-error.js';
import type { ApiClient } from '../client/api-client.js';

/** The code with which the server closes sockets of a token that has ended. */
const SESSION_ENDED = 4401;
const STREAMS = [null, 'stdout', 'stderr'] as const;

export type FollowedLine = Pick<LineDto, 'source' | 'seq' | 'time' | 'stream' | 'level' | 'text'>;

interface Follower {
  /** Called once all sources are followed, with the number of the first line that will follow, by source. */
  onStart: (from: ReadonlyMap<number, number>) => Promise<void>;
  onLine: (line: FollowedLine) => void;
  onSkipped: (source: number, count: number) => void;
}

/**
 * Follows sources over the socket of the log board until the process ends. Lines wait until `onStart` has printed what
 * came before them.
 * @throws CliError when the connection ends.
 */
export async function followLines(
  { server }: ApiClient,
  sources: readonly number[],
  { onStart, onLine, onSkipped }: Follower,
): Promise<never> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/ws`, {
    ...server.tls,
    perMessageDeflate: false,
    headers: server.token === undefined ? {} : { authorization: `Bearer ${server.token}` },
  });
  const from = new Map<number, number>();
  let printed: Promise<void> = Promise.resolve();
  return await new Promise((_resolve, reject) => {
    const fail = (message: string, status: CliError['status'] = EXIT.unreachable): void => {
      reject(new CliError(message, status));
      socket.terminate();
    };
    const inOrder = (work: () => void | Promise<void>): void => {
      printed = printed.then(work).catch((error: unknown) => {
        fail(reasonOf(error), error instanceof CliError ? error.status : EXIT.failed);
      });
    };
    const send = (message: ClientMessage): void => socket.send(JSON.stringify(message));
    socket.on('unexpected-response', (_request, { statusCode }) =>
      fail(
        `Could not follow the logs: the log board responded with status ${statusCode}.`,
        statusCode === 401 ? EXIT.notAllowed : EXIT.failed,
      ),
    );
    socket.on('error', (error) => fail(`Could not follow the logs: ${reasonOf(error)}.`));
    socket.on('close', (code) =>
      code === SESSION_ENDED
        ? fail('The token has ended. Create another with: slipway token create', EXIT.notAllowed)
        : fail('The connection to the log board has ended.'),
    );
    socket.on('open', () => {
      for (const source of sources) send({ type: 'subscribe', source, tail: 0 });
    });
    socket.on('message', (data: Buffer) => {
      const message = jsonValue(data.toString()) as ServerMessage;
      if (message.type === 'error') fail(message.message, EXIT.failed);
      if (message.type === 'subscribed') {
        from.set(message.source, message.from);
        if (from.size === sources.length) inOrder(async () => await onStart(from));
      }
      if (message.type !== 'lines' && message.type !== 'skipped') return;
      inOrder(() => {
        if (message.type === 'skipped') onSkipped(message.source, message.count);
        else for (const line of message.lines) onLine(followedLine(message.source, line));
      });
    });
  });
}

function followedLine(source: number, [seq, micros, stream, level, text]: WireLine): FollowedLine {
  // The API's times have microseconds as well.
  const time = `${new Date(micros / 1000).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`;
  return { source, seq, time, stream: STREAMS[stream], level, text };
}
