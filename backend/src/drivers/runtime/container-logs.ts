/** State of a node's container, in the engines' own words. */
export type NodeState =
  'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead' | 'removing' | 'unknown';

/** Where a piece was written; null where nobody can tell, as on a terminal or in a pod's merged log. */
export type LogStream = 'stdout' | 'stderr';

/**
 * What a program wrote, as its engine hands it on: a line with its end (`\n`), or a part of one that goes on in the
 * next piece of the same stream. Engines cut lines at 16 KB.
 */
export interface LogPiece {
  stream: LogStream | null;
  /** When the engine took it in, in microseconds since the epoch. */
  time: number;
  /** Nanoseconds beyond that microsecond, 0 to 999; missing where nobody tells them. */
  nanos?: number;
  /** Without the engine's own header and time. Bytes, since a cut may lie within a character. */
  data: Buffer;
}

/** A container of an engine, a node or not. */
export interface LoggedContainer {
  id: string;
  /** Without a leading slash. */
  name: string;
  image: string;
  state: NodeState;
  labels: Readonly<Record<string, string>>;
  /** RFC 3339. */
  createdAt: string;
}

/** How a container's log is kept. */
export interface ContainerLogFormat {
  /** Written by a terminal: one stream, and no headers. Known from inspect alone (Docker before API 1.42). */
  tty: boolean;
  /** Why it cannot be read, such as logging driver `none`; null where it can. */
  unreadable: string | null;
  /** Whether its times are whole seconds, as Podman's API gave before 5: they then order nothing. */
  wholeSecondTimes: boolean;
}

/** From where on a log is read. */
export interface LogStart {
  /** Lines from this time on, microseconds since the epoch; null for all. */
  since: number | null;
  /**
   * At most so many of the newest lines. Always given with `since`: an engine looks for a time from the beginning,
   * and for an end from the end.
   */
  tail: number;
}

/**
 * What the containers of one engine write.
 * Every method throws DomainError `runtime_unavailable` where the engine does not answer.
 */
export abstract class ContainerLogs {
  /** Every container, in whatever state. */
  abstract list(): Promise<LoggedContainer[]>;

  /**
   * Calls back when containers may have come, gone or changed their state, until the signal is given or the stream
   * breaks. @throws once it ends.
   */
  abstract followChanges(onChange: () => void, signal: AbortSignal): Promise<void>;

  /** @throws DomainError `log_unreadable` for a container that is gone. */
  abstract format(id: string): Promise<ContainerLogFormat>;

  /**
   * Reads a log, and follows it as long as its container runs: the iteration ends when the log does. It asks for no
   * more while its reader is busy.
   * @throws DomainError `log_unreadable` with the engine's reason.
   */
  abstract open(
    id: string,
    format: ContainerLogFormat,
    start: LogStart,
    signal: AbortSignal,
  ): AsyncIterable<LogPiece[]>;

  /**
   * Runs a program in a container for as long as somebody reads, and ends it afterwards.
   * @returns the lines that it writes, without their ends. @throws DomainError `log_unreadable`
   */
  abstract run(id: string, command: readonly string[], signal: AbortSignal): AsyncIterable<string[]>;
}
