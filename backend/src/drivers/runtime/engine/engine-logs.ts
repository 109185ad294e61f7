import type { Readable } from 'node:stream';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import {
  ContainerLogs,
  type ContainerLogFormat,
  type LoggedContainer,
  type LogPiece,
  type LogStart,
} from '../container-logs.js';
import { dial } from './dial.js';
import type { InspectedContainer } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { containerEvents } from './engine-events.js';
import { isGone } from './engine-error.js';
import { listContainers } from './list-containers.js';
import { LogFrames } from './logs/log-frames.js';
import { receivedChunks } from './logs/received-chunks.js';
import { readWithoutTail, type LogQuery } from './logs/read-without-tail.js';
import { streamLines } from './logs/streamed-execution.js';
import { TimedLines } from './logs/timed-lines.js';
import { nameOf, toState } from './node-container.js';

/** Podman begins its answer with the first line, which a quiet container may write tomorrow. */
const NO_DEADLINE_MS = 2 ** 31 - 1;
/** Drivers that an engine reads back by itself; of all others Docker keeps a copy, unless it was told not to. */
const READABLE_DRIVERS = new Set(['json-file', 'local', 'journald', 'k8s-file']);
/** Drivers of which no engine keeps anything. */
const UNREADABLE_DRIVERS = new Set(['none', 'passthrough', 'passthrough-tty']);

/** What an engine's containers write, through the API that Docker and Podman share. */
export class EngineLogs extends ContainerLogs {
  constructor(
    private readonly connection: EngineConnection,
    private readonly wholeSeconds: () => boolean,
  ) {
    super();
  }

  override async list(): Promise<LoggedContainer[]> {
    const summaries = await listContainers(this.connection);
    return summaries.map((summary) => ({
      id: summary.Id,
      name: nameOf(summary),
      image: summary.Image ?? '',
      state: toState(summary.State),
      labels: summary.Labels ?? {},
      createdAt: new Date((summary.Created ?? 0) * 1000).toISOString(),
    }));
  }

  override async followChanges(onChange: () => void, signal: AbortSignal): Promise<void> {
    const events = containerEvents(this.connection, signal);
    while ((await events.next()).done !== true) onChange();
  }

  override async format(id: string): Promise<ContainerLogFormat> {
    let inspected: InspectedContainer;
    try {
      inspected = await this.connection.read((client, abortSignal) =>
        client.getContainer(id).inspect({ abortSignal }),
      );
    } catch (error) {
      throw this.unreadable(id, error);
    }
    return {
      tty: inspected.Config?.Tty === true,
      unreadable: whyUnreadable(inspected),
      wholeSecondTimes: this.wholeSeconds(),
    };
  }

  override async *open(
    id: string,
    format: ContainerLogFormat,
    start: LogStart,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    try {
      const request = (query: LogQuery): AsyncGenerator<LogPiece[]> => this.read(id, format, query, signal);
      if (format.wholeSecondTimes) yield* readWithoutTail(start, request);
      else yield* request({ follow: true, since: start.since, tail: start.tail });
    } catch (error) {
      if (signal.aborted) return;
      throw this.unreadable(id, error);
    }
  }

  private async *read(
    id: string,
    { tty }: ContainerLogFormat,
    { follow, since = null, tail }: LogQuery,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    const options = {
      follow: String(follow),
      stdout: 'true',
      stderr: 'true',
      timestamps: 'true',
      ...(since === null ? {} : { since: seconds(since) }),
      ...(tail === undefined ? {} : { tail: String(tail) }),
    };
    const stream = await this.connection.stream(
      (client, abortSignal) =>
        dial<Readable>(client, {
          path: `/containers/${id}/logs?`,
          method: 'GET',
          isStream: true,
          statusCodes: { 200: true },
          options,
          abortSignal,
        }),
      signal,
      NO_DEADLINE_MS,
    );
    // By inspect and never by the answer's type, which Docker tells since API 1.42 and Podman not at all.
    const lines = tty ? new TimedLines() : new LogFrames();
    for await (const chunks of receivedChunks(stream)) {
      // What came since concerns nobody.
      if (signal.aborted) return;
      const pieces: LogPiece[] = [];
      try {
        for (const chunk of chunks) lines.push(chunk, pieces);
      } finally {
        // What came whole before a frame that is broken is not lost with it.
        if (pieces.length > 0) yield pieces;
      }
    }
    const last: LogPiece[] = [];
    lines.end(last);
    if (last.length > 0) yield last;
  }

  override async *run(id: string, command: readonly string[], signal: AbortSignal): AsyncGenerator<string[]> {
    try {
      yield* streamLines(this.connection, id, command, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw this.unreadable(id, error);
    }
  }

  private unreadable(id: string, error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    const { code, statusCode } = error as { code?: unknown; statusCode?: number };
    // A connection that breaks within an answer, as when the engine ends.
    if (typeof code === 'string' && statusCode === undefined) {
      return this.connection.unavailable('it closed the connection; it may be restarting', error);
    }
    const reason = isGone(error) ? 'the container is gone' : inWords(error);
    return new DomainError(
      'log_unreadable',
      `The log of ${id.slice(0, 12)} in ${this.connection.engine} cannot be read: ${reason}.`,
      { runtime: this.connection.engine, container: id },
      { cause: error },
    );
  }
}

/** Unix seconds, as engines take a time. */
function seconds(micros: number): string {
  return `${Math.floor(micros / 1e6)}.${String(Math.floor(micros % 1e6)).padStart(6, '0')}`;
}

function whyUnreadable({ HostConfig }: InspectedContainer): string | null {
  const { Type: driver = '', Config: options } = HostConfig?.LogConfig ?? {};
  if (UNREADABLE_DRIVERS.has(driver)) {
    return `It was made with the logging driver ${driver}, of which the engine keeps nothing.`;
  }
  if (driver !== '' && !READABLE_DRIVERS.has(driver) && options?.['cache-disabled'] === 'true') {
    return `It was made with the logging driver ${driver} and without the cache that the engine would read.`;
  }
  return null;
}

/** The engine's own words, without what the client puts around them. */
function inWords(error: unknown): string {
  const [, words] = /^\(HTTP code \d+\) \S+ - ([^]*)$/.exec(reasonOf(error)) ?? [];
  return (words ?? reasonOf(error)).trim().replace(/\.$/, '');
}
