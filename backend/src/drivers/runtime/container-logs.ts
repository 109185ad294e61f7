/** State of a container in the engines' terms. */
export type NodeState =
  'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead' | 'removing' | 'unknown';

export type LogStream = 'stdout' | 'stderr';

/**
 * A line of a log with its newline, or a part of a long line that continues in the next piece of the same stream.
 * Engines split lines at 16 KB.
 */
export interface LogPiece {
  /** Null if unknown, as for a terminal or the merged log of a Pod. */
  stream: LogStream | null;
  /** When the engine received it, in microseconds since the epoch. */
  time: number;
  /** Nanoseconds beyond that microsecond, 0 to 999; missing if unknown. */
  nanos?: number;
  /** Without the engine's header and time. Bytes, since a split may be within a character. */
  data: Buffer;
}

export interface LoggedContainer {
  id: string;
  /** Without a leading slash. */
  name: string;
  state: NodeState;
  labels: Readonly<Record<string, string>>;
  /** RFC 3339. */
  createdAt: string;
}

export interface ContainerLogFormat {
  /** Whether it comes from a terminal, with a single stream and no headers. */
  tty: boolean;
  /** Why it cannot be read, such as logging driver `none`; null if it can. */
  unreadable: string | null;
  /** Whether its times are whole seconds, as in Podman before 5. They do not give the order of lines. */
  wholeSecondTimes: boolean;
}

export interface LogStart {
  /** Start time in microseconds since the epoch; null for all lines. */
  since: number | null;
  /**
   * Maximum number of existing lines, counted from the end. Also needed with `since`: engines search for a time from the
   * beginning of the log, but for the tail from its end.
   */
  tail: number;
}

/**
 * The logs of the containers of one engine.
 * Every method throws DomainError `runtime_unavailable` if the engine does not respond.
 */
export abstract class ContainerLogs {
  /** Lists all containers, in any state. */
  abstract list(): Promise<LoggedContainer[]>;

  /**
   * Calls back when containers may have been created, removed or changed their state, until the signal aborts.
   * @throws when the stream ends.
   */
  abstract followChanges(onChange: () => void, signal: AbortSignal): Promise<void>;

  /** @throws DomainError `log_unreadable` if the container does not exist. */
  abstract format(id: string): Promise<ContainerLogFormat>;

  /**
   * Reads a log with backpressure and follows it while the container runs. The iteration ends when the log does.
   * @throws DomainError `log_unreadable` with the engine's reason.
   */
  abstract open(
    id: string,
    format: ContainerLogFormat,
    start: LogStart,
    signal: AbortSignal,
  ): AsyncIterable<LogPiece[]>;

  /**
   * Runs a program in a container until the reader stops, and then ends it.
   * @returns its output lines without newlines. @throws DomainError `log_unreadable`
   */
  abstract run(id: string, command: readonly string[], signal: AbortSignal): AsyncIterable<string[]>;
}
