import { Readable } from 'node:stream';
import { DomainError } from '../../../core/errors/index.js';
import {
  ContainerLogs,
  type ContainerLogFormat,
  type LoggedContainer,
  type LogPiece,
  type LogStart,
} from '../container-logs.js';
import type { InspectedContainer } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { containerEvents } from './engine-events.js';
import { engineMessage, isGone } from './engine-error.js';
import { listContainers } from './list-containers.js';
import { LogFrames } from './logs/log-frames.js';
import { receivedChunks } from './logs/received-chunks.js';
import { readWithoutTail, type LogQuery } from './logs/read-without-tail.js';
import { streamLines } from './logs/streamed-execution.js';
import { TimedLines } from './logs/timed-lines.js';
import { nameOf, toState } from './node-container.js';

/** Podman's response starts with the first line, which a container may write much later. */
const NO_DEADLINE_MS = 2 ** 31 - 1;
/** Drivers whose logs an engine can read. For all others, Docker keeps a cache by default. */
const READABLE_DRIVERS = new Set(['json-file', 'local', 'journald', 'k8s-file']);
const OWN = 'Slipway does not store its own log, which contains sign-in links.';
const UNREADABLE_DRIVERS = new Set(['none', 'passthrough', 'passthrough-tty']);

/** The logs of an engine's containers, through the API that Docker and Podman share. */
export class EngineLogs extends ContainerLogs {
  constructor(
    private readonly connection: EngineConnection,
    private readonly wholeSeconds: () => boolean,
    /** Whether Slipway itself runs in a container. */
    private readonly isOwn: (id: string) => boolean,
  ) {
    super();
  }

  override async list(): Promise<LoggedContainer[]> {
    const summaries = await listContainers(this.connection);
    return summaries.map((summary) => ({
      id: summary.Id,
      name: nameOf(summary),
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
      // It has sign-in links and the first password, which stored lines would show to tokens that may only read.
      unreadable: this.isOwn(id) ? OWN : whyUnreadable(inspected),
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
    const stream = await this.connection.requestStream(
      { path: `/containers/${id}/logs?`, method: 'GET', options },
      Readable,
      signal,
      NO_DEADLINE_MS,
    );
    // Not by the response's type, which Docker sends since API 1.42 and Podman does not send.
    const lines = tty ? new TimedLines() : new LogFrames();
    for await (const chunks of receivedChunks(stream)) {
      if (signal.aborted) return;
      const pieces: LogPiece[] = [];
      try {
        for (const chunk of chunks) lines.push(chunk, pieces);
      } finally {
        // Complete pieces before a broken frame are not lost.
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
    // The connection was closed during the response, for example because the engine stopped.
    if (typeof code === 'string' && statusCode === undefined) {
      return this.connection.unavailable('it closed the connection; it may be restarting', error);
    }
    const reason = isGone(error) ? 'the container does not exist' : engineMessage(error);
    return new DomainError(
      'log_unreadable',
      `Could not read the log of ${id.slice(0, 12)} in ${this.connection.engine}: ${reason}.`,
      { runtime: this.connection.engine, container: id },
      { cause: error },
    );
  }
}

/** Unix seconds, the time format of engines. */
function seconds(micros: number): string {
  return `${Math.floor(micros / 1e6)}.${String(Math.floor(micros % 1e6)).padStart(6, '0')}`;
}

function whyUnreadable({ HostConfig }: InspectedContainer): string | null {
  const { Type: driver = '', Config: options } = HostConfig?.LogConfig ?? {};
  if (UNREADABLE_DRIVERS.has(driver)) {
    return `Its container uses the logging driver ${driver}, which stores nothing.`;
  }
  if (driver !== '' && !READABLE_DRIVERS.has(driver) && options?.['cache-disabled'] === 'true') {
    return `Its container uses the logging driver ${driver} without the cache that the engine can read.`;
  }
  return null;
}
