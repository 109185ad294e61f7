import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { guarded, guardedTimeout } from '../../core/errors/index.js';
import { Configuration } from '../../core/config/index.js';
import { MAX_TEXT, plainLine } from '../../core/logging/index.js';
import { BoundedText } from './bounded-text.js';
import { CommandError, commandLine, type CommandFailure } from './command-error.js';
import { LineSplitter } from './line-splitter.js';
import {
  PROGRAMS,
  ProcessRunner,
  type LeftoverProcess,
  type ProcessIdentity,
  type ProcessRequest,
  type ProcessResult,
  type Program,
} from './process-runner.js';
import { ProcessTable, type ProcessEntry } from './process-table.js';
import { ProgramLocator } from './program-locator.js';

/** Environment variables that programs inherit. All others, such as Slipway's secrets, are withheld. */
const PASSED_ON = [
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  // Rootless Podman requests cgroups from systemd over the session bus.
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_CONFIG',
  'CONTAINERS_CONF',
  'CONTAINERS_REGISTRIES_CONF',
  'CONTAINERS_STORAGE_CONF',
  // kind passes these to the nodes.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
] as const;

const OWNER_VARIABLE = 'SLIPWAY_OWNER';
const OUTPUT_LIMIT = 1_000_000;
const DEFAULT_GRACE_MS = 5000;
/** How long pipes may stay open after the group has ended, because a process outside the group holds them. */
const PIPES_GRACE_MS = 2000;
const POLL_MS = 25;

/** Runs installed programs, each in its own process group, so that its descendants can be ended, too. */
@Injectable()
export class LocalProcessRunner extends ProcessRunner {
  private readonly locator: ProgramLocator;
  private readonly table: ProcessTable;

  constructor(private readonly configuration: Configuration) {
    super();
    this.locator = new ProgramLocator(configuration);
    this.table = ProcessTable.forPlatform(configuration.platform);
  }

  locate(program: Program): Promise<string | undefined> {
    return this.locator.locate(program);
  }

  async run(request: ProcessRequest): Promise<ProcessResult> {
    const path = await this.locator.locate(request.program);
    if (!path) throw new CommandError({ ...request, failure: 'not-found' });
    const executed = await this.limited(path, request);
    if (request.signal?.aborted) throw new CommandError({ ...request, path, failure: 'aborted' });
    return await this.spawnAndWait(path, executed, request);
  }

  async endLeftovers(leftovers: readonly LeftoverProcess[], owners: readonly string[]): Promise<number> {
    const bootId = this.table.bootId();
    const candidates = leftovers.filter((leftover) => leftover.bootId === bootId);
    const processes = await this.table.list();
    const leftOver = new Map<number, ProcessEntry>();
    for (const entry of processes) {
      if (entry.pid === process.pid) continue;
      if (await this.isLeftover(entry, processes, candidates, owners)) leftOver.set(entry.pid, entry);
    }
    for (const pid of leftOver.keys()) kill(pid, 'SIGKILL');
    await this.waitUntilEnded(leftOver);
    return leftOver.size;
  }

  private async isLeftover(
    entry: ProcessEntry,
    processes: readonly ProcessEntry[],
    candidates: readonly LeftoverProcess[],
    owners: readonly string[],
  ): Promise<boolean> {
    const record = candidates.find((candidate) => candidate.pid === entry.group);
    if (record) {
      const leader = processes.find((other) => other.pid === record.pid);
      // The start time of a running leader identifies the group. Without a leader the pid may have been reused, so
      // the owner decides. On platforms that do not show owners, the pid must suffice.
      if (leader) return leader.started === record.started;
      const owner = await this.table.environmentOf(entry.pid, OWNER_VARIABLE);
      return owner === undefined ? this.configuration.platform !== 'linux' : owner === record.owner;
    }
    // A crash between the start of a program and its record leaves only the owner. Helpers of engines (conmon,
    // aardvark-dns) inherit it, but must keep running.
    if (!isOwnProgram(entry.name)) return false;
    const owner = await this.table.environmentOf(entry.pid, OWNER_VARIABLE);
    return owner !== undefined && owners.includes(owner);
  }

  private async waitUntilEnded(ending: ReadonlyMap<number, ProcessEntry>): Promise<void> {
    const deadline = performance.now() + 5000;
    while (performance.now() < deadline) {
      const alive = await this.table.list();
      if (!alive.some((entry) => ending.get(entry.pid)?.started === entry.started)) return;
      await delay(POLL_MS);
    }
    throw new Error(`could not end processes ${[...ending.keys()].join(', ')} of a previous run`);
  }

  private async spawnAndWait(
    path: string,
    [file, ...fileArgs]: [string, ...string[]],
    request: ProcessRequest,
  ): Promise<ProcessResult> {
    const { program, args, signal, timeoutMs, graceMs = DEFAULT_GRACE_MS } = request;
    const { outputLimit = OUTPUT_LIMIT } = request;
    const startedAt = performance.now();
    const stdout = new BoundedText(outputLimit);
    const stderr = new BoundedText(Math.min(outputLimit, MAX_TEXT));
    const failWith = (
      failure: CommandFailure,
      extra: { exitCode?: number | null; cause?: unknown } = {},
    ): CommandError =>
      new CommandError({
        program,
        path,
        args,
        failure,
        stdout: stdout.toString(),
        stderr: stderr.toString(),
        durationMs: performance.now() - startedAt,
        ...extra,
      });

    const child = spawn(file, fileArgs, {
      // Its own process group: signals reach descendants, but not this server.
      detached: true,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: request.workingDirectory ?? '/',
      env: this.childEnvironment(request),
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // Avoids an unhandled rejection if the start fails before `ended` is awaited.
    ended.catch(() => undefined);

    const { pid } = child;
    if (pid === undefined) {
      const cause: unknown = await ended.catch((error: unknown) => error);
      throw failWith('not-started', { cause });
    }
    const identity: ProcessIdentity = {
      pid,
      started: this.table.started(pid) ?? '',
      bootId: this.table.bootId(),
    };
    request.onStarted?.(identity, commandLine(program, args));
    collect(child, 'stdout', stdout, request);
    collect(child, 'stderr', stderr, request);

    let ending: 'timed-out' | 'aborted' | undefined;
    let endGroup: Promise<void> | undefined;
    const end = (reason: 'timed-out' | 'aborted'): void => {
      if (ending) return;
      ending = reason;
      endGroup = this.endProcessGroup(pid, graceMs).then(() => releasePipes(child));
    };
    const onAbort = (): void => end('aborted');
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = guardedTimeout(() => end('timed-out'), timeoutMs, 'end a program');

    try {
      const exitCode = await ended;
      if (ending) throw failWith(ending, { exitCode });
      if (exitCode !== 0) throw failWith('failed', { exitCode });
      return { stdout: stdout.toString(), stderr: stderr.toString() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      await endGroup;
      request.onEnded?.(identity);
    }
  }

  /** The program and its arguments, through `prlimit` if its memory is limited: that becomes the program. */
  private async limited(path: string, { args, memoryMb }: ProcessRequest): Promise<[string, ...string[]]> {
    const prlimit = memoryMb === undefined ? undefined : await this.locator.locate('prlimit');
    if (prlimit === undefined) return [path, ...args];
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    return [prlimit, `--as=${softLimit(limits, (memoryMb ?? 0) * 1_000_000)}:`, '--', path, ...args];
  }

  /** Ends all processes of a group. A descendant may ignore the signal that ends the leader. */
  private async endProcessGroup(group: number, graceMs: number): Promise<void> {
    kill(-group, 'SIGTERM');
    // A stopped process only handles the signal once it continues.
    kill(-group, 'SIGCONT');
    if (await this.groupEndsWithin(group, graceMs)) return;
    kill(-group, 'SIGKILL');
    await this.groupEndsWithin(group, 5000);
  }

  private async groupEndsWithin(group: number, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    while (await this.isGroupAlive(group)) {
      if (performance.now() >= deadline) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  private async isGroupAlive(group: number): Promise<boolean> {
    if (!kill(-group, 0)) return false;
    // The group may consist of zombies, for example in a container whose init does not reap them.
    const processes = await this.table.list();
    return processes.some((entry) => entry.group === group);
  }

  private childEnvironment(request: ProcessRequest): Record<string, string> {
    const environment: Record<string, string> = {
      PATH: this.locator.searchPath(),
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
    };
    for (const name of PASSED_ON) {
      const value = this.configuration.environment[name];
      if (value !== undefined) environment[name] = value;
    }
    environment['HOME'] ??= homedir();
    if (request.owner) environment[OWNER_VARIABLE] = request.owner;
    return { ...environment, ...request.environment };
  }
}

function collect(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  into: BoundedText,
  request: ProcessRequest,
): void {
  const splitter = new LineSplitter((line) => request.onLine?.({ stream, text: plainLine(line) }));
  const pipe = child[stream];
  pipe?.setEncoding('utf8');
  const take = guarded((text: string) => {
    into.append(text);
    splitter.push(text);
  }, 'read the output of a program');
  pipe?.on('data', take);
  pipe?.on('end', () => splitter.end());
}

/** A process outside the group may hold the pipes open. The output is complete without it. */
function releasePipes(child: ChildProcess): void {
  setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, PIPES_GRACE_MS).unref();
}

/** @returns whether the process or group exists. */
function kill(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The address space in bytes, at most the hard limit of this process: prlimit refuses more. @param limits of Linux */
export function softLimit(limits: string, bytes: number): number {
  return Math.min(bytes, Number(/^Max address space +\S+ +(\d+) /m.exec(limits)?.[1] ?? Infinity));
}

function isOwnProgram(name: string): boolean {
  return PROGRAMS.some((program) => name === program || name.endsWith(`/${program}`));
}
