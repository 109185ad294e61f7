/** The programs that Slipway may start. The list is closed, so that no request can name another. */
export const PROGRAMS = [
  'kind',
  'docker',
  'podman',
  'helm',
  'systemctl',
  'loginctl',
  'xdg-open',
  'open',
  // Starts another one with a limit on its memory.
  'prlimit',
] as const;
export type Program = (typeof PROGRAMS)[number];

/** Identifies a process even if its pid is reused later. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in a format of the platform, to compare for equality. */
  started: string;
  /** Pids start over after a reboot. */
  bootId: string;
}

export interface OutputLine {
  stream: 'stdout' | 'stderr';
  text: string;
}

export interface ProcessRequest {
  program: Program;
  /** Passed without a shell. User input must be passed as `--flag=value` or after `--`. */
  args: readonly string[];
  /** Added to the minimal environment of the process. */
  environment?: Readonly<Record<string, string>>;
  workingDirectory?: string;
  timeoutMs: number;
  /** Ends the process group with SIGTERM, and after `graceMs` with SIGKILL. */
  signal?: AbortSignal;
  graceMs?: number;
  /** Maximum characters of stdout and of stderr. Default: 1,000,000. */
  outputLimit?: number;
  /** Maximum address space. Has no effect without `prlimit`, which only Linux has. */
  memoryMb?: number;
  onLine?: (line: OutputLine) => void;
  /** Called synchronously after the start, so that the process is recorded before anything can crash. */
  onStarted?: (process: ProcessIdentity, commandLine: string) => void;
  /** Called when all processes of the group have ended. */
  onEnded?: (process: ProcessIdentity) => void;
  /** Marks the process and its descendants, for example with a job id. After a crash they are found by it. */
  owner?: string;
}

export type ProcessTracking = Pick<ProcessRequest, 'signal' | 'owner' | 'onStarted' | 'onEnded' | 'onLine'>;

export interface ProcessResult {
  stdout: string;
  stderr: string;
}

/** A process of a previous run of Slipway that may still be running. */
export interface LeftoverProcess extends ProcessIdentity {
  owner: string;
}

/** The only way to start programs. */
export abstract class ProcessRunner {
  /** The path of a program; undefined if it is not installed. */
  abstract locate(program: Program): Promise<string | undefined>;

  /** Runs a program. @throws CommandError if it cannot be started, fails, times out or is aborted. */
  abstract run(request: ProcessRequest): Promise<ProcessResult>;

  /**
   * Ends process groups that a previous run recorded, and processes marked with one of the owners. Identities are
   * compared first, because pids are reused.
   * @returns how many processes were ended.
   */
  abstract endLeftovers(leftovers: readonly LeftoverProcess[], owners: readonly string[]): Promise<number>;
}
