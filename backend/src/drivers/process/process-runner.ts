/** The programs that the product may start: a closed list, so that no request can name another. */
export const PROGRAMS = ['kind', 'docker', 'podman', 'helm'] as const;
export type Program = (typeof PROGRAMS)[number];

/** What tells one process from another that later got its number. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started, in the platform's own unit; only ever compared for equality. */
  started: string;
  /** Which run of the system it belongs to: numbers start again after a reboot. */
  bootId: string;
}

export interface OutputLine {
  stream: 'stdout' | 'stderr';
  text: string;
}

export interface ProcessRequest {
  program: Program;
  /** Passed as they are, without a shell. Values from outside go as `--flag=value` or behind `--`. */
  args: readonly string[];
  /** Added to the minimal environment of the child. */
  environment?: Readonly<Record<string, string>>;
  workingDirectory?: string;
  timeoutMs: number;
  /** Ends the whole process group: SIGTERM, `graceMs` of patience, SIGKILL. */
  signal?: AbortSignal;
  graceMs?: number;
  /** How much of stdout, and of stderr, is kept; a million characters unless more is told. */
  outputLimit?: number;
  onLine?: (line: OutputLine) => void;
  /** Called synchronously after the start, before anything else can happen, so that a crash finds a record. */
  onStarted?: (process: ProcessIdentity, commandLine: string) => void;
  /** Called once no member of the group is left. */
  onEnded?: (process: ProcessIdentity) => void;
  /**
   * Marks the child and its descendants as belonging to something that may outlive a crash, such as a
   * job's number. Leftovers are found by it.
   */
  owner?: string;
}

/** What ties a process to the operation that it serves. */
export type ProcessTracking = Pick<ProcessRequest, 'signal' | 'owner' | 'onStarted' | 'onEnded' | 'onLine'>;

export interface ProcessResult {
  stdout: string;
  stderr: string;
  durationMs: number;
  /** Whether the middle of stdout or stderr was dropped, to bound the memory that a program can take. */
  truncated: boolean;
}

/** A process that an earlier run of the product started and may have left behind. */
export interface LeftoverProcess extends ProcessIdentity {
  owner: string;
}

/** The one door to child processes. */
export abstract class ProcessRunner {
  /** The path of a program, or undefined where the machine does not have it. */
  abstract locate(program: Program): Promise<string | undefined>;

  /**
   * Runs a program to its end.
   * @throws CommandError when it cannot be started, fails, takes too long or is aborted.
   */
  abstract run(request: ProcessRequest): Promise<ProcessResult>;

  /**
   * Ends what is left of process groups that an earlier run recorded, and whatever still carries one of
   * the owners' marks. Identity is checked first: a number alone proves nothing.
   * @returns how many processes were ended.
   */
  abstract endLeftovers(leftovers: readonly LeftoverProcess[], owners: readonly string[]): Promise<number>;
}
