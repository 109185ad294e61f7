import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const SHORT_TEXT = { encoding: 'utf8', timeout: 2000 } as const;

export interface ProcessEntry {
  pid: number;
  group: number;
  started: string;
  name: string;
}

/** Reads the process table: from `/proc` on Linux, from `ps` elsewhere. Start times have the format of the platform. */
export abstract class ProcessTable {
  abstract bootId(): string;
  /** Start time of a running process, or undefined. Synchronous, because it is read right after a start. */
  abstract started(pid: number): string | undefined;
  abstract list(): Promise<ProcessEntry[]>;
  /** A variable of a process's initial environment; undefined if unset or if the platform does not show it. */
  abstract environmentOf(pid: number, name: string): Promise<string | undefined>;

  static forPlatform(platform: NodeJS.Platform): ProcessTable {
    return platform === 'linux' && existsSync('/proc/self/stat')
      ? new LinuxProcessTable()
      : new PsProcessTable(platform);
  }
}

/** Parses `/proc/<pid>/stat`. The name in parentheses may contain spaces and parentheses (proc(5)). */
export function parseStat(
  text: string,
): { name: string; state: string; group: number; started: string } | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < 0) return undefined;
  const fields = text.slice(close + 2).split(' ');
  return {
    name: text.slice(open + 1, close),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    started: fields[19] ?? '',
  };
}

class LinuxProcessTable extends ProcessTable {
  bootId(): string {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  }

  started(pid: number): string | undefined {
    try {
      return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.started;
    } catch {
      // It has already ended. Its group may still run, and is found by its owner.
      return undefined;
    }
  }

  async list(): Promise<ProcessEntry[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const entries = await Promise.all(
      pids.map(async (pid): Promise<ProcessEntry | undefined> => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').then(parseStat, () => undefined);
        // A zombie uses nothing and cannot be killed.
        if (!stat || stat.state === 'Z' || stat.state === 'X') return undefined;
        return { pid, group: stat.group, started: stat.started, name: stat.name };
      }),
    );
    return entries.filter((entry) => entry !== undefined);
  }

  async environmentOf(pid: number, name: string): Promise<string | undefined> {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const entry = environment.split('\0').find((candidate) => candidate.startsWith(`${name}=`));
    return entry?.slice(name.length + 1);
  }
}

/** For macOS and BSD, which have no `/proc` and do not show the environment of other processes. */
class PsProcessTable extends ProcessTable {
  constructor(private readonly platform: NodeJS.Platform) {
    super();
  }

  bootId(): string {
    if (this.platform !== 'darwin') return '';
    return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], SHORT_TEXT).trim();
  }

  started(pid: number): string | undefined {
    try {
      const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], SHORT_TEXT);
      return parseStart(text) || undefined;
    } catch {
      // ps exits with 1 for a process that has ended.
      return undefined;
    }
  }

  async list(): Promise<ProcessEntry[]> {
    const { stdout } = await execute('ps', ['-axo', 'pid=,pgid=,state=,lstart=,comm='], { timeout: 5000 });
    return parsePs(stdout);
  }

  environmentOf(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }
}

/** `lstart` consists of five words: "Sat Nov 21 11:12:13 2026". `ps` pads a day of one digit. */
export function parseStart(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Parses `pid`, `pgid`, `state`, `lstart` and `comm` of each process. */
export function parsePs(text: string): ProcessEntry[] {
  const row = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;
  return text.split('\n').flatMap((line) => {
    const [, pid, group, state = '', started = '', name = ''] = row.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return {
      pid: Number(pid),
      group: Number(group),
      started: parseStart(started),
      name: name.trim(),
    };
  });
}
