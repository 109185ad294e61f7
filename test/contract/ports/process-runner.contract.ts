import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration, type Configuration } from '../../../backend/src/core/config/configuration.js';
import { CommandError } from '../../../backend/src/drivers/process/command-error.js';
import {
  PROGRAMS,
  type OutputLine,
  type ProcessIdentity,
  type ProcessRequest,
  type ProcessRunner,
} from '../../../backend/src/drivers/process/process-runner.js';
import { waitFor } from '../../support/wait-for.js';

/** A program whose first argument selects its behavior. Shell scripts start within a millisecond. */
const PUPPET = `#!/bin/sh
case "$1" in
  say) shift; for argument in "$@"; do printf '[%s]\\n' "$argument"; done ;;
  environment) env ;;
  where) pwd; echo $$; ps -o pgid= -p $$ ;;
  fail) echo 'Ensuring' >&2; echo 'ERROR: no such thing' >&2; echo 'see the manual' >&2; exit 3 ;;
  wait) echo waiting; sleep 300 & wait ;;
  stubborn)
    trap '' TERM
    sh -c "trap '' TERM; while :; do sleep 0.2; done" &
    echo "grandchild $!"
    while :; do sleep 0.2; done ;;
  orphan) sh -c 'while :; do sleep 0.2; done' > /dev/null 2>&1 & echo "grandchild $!" ;;
  flood) echo begin; yes 'all work and no play' | head -c 4000000; echo end ;;
  memory) ulimit -v; echo $$ ;;
  lines) printf 'one\\ntwo\\rthree\\r\\n\\033[31mred\\033[0m\\007\\nwithout an end'; printf 'problem\\n' >&2 ;;
esac
`;

/** The contract of ProcessRunner. */
export function processRunnerContract(create: (configuration: Configuration) => ProcessRunner): void {
  let folder: string;
  let runner: ProcessRunner;
  const stray: number[] = [];

  const configure = (extra: Record<string, string> = {}): Configuration =>
    readConfiguration({
      PATH: process.env['PATH'],
      HOME: folder,
      APP_KIND: join(folder, 'kind'),
      APP_PASS: 'a-long-secret-sentence',
      SECRET_KEY: '0123456789abcdef'.repeat(4),
      KIND_CLUSTER_NAME: 'other',
      KUBECONFIG: '/home/me/.kube/config',
      AWS_SECRET_ACCESS_KEY: 'not-yours',
      NODE_OPTIONS: '--no-warnings',
      ...extra,
    });
  const run = (args: string[], more: Partial<ProcessRequest> = {}): ReturnType<ProcessRunner['run']> =>
    runner.run({ program: 'kind', args, timeoutMs: 20_000, ...more });
  const failureOf = async (running: Promise<unknown>): Promise<CommandError> => {
    const error = await running.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(CommandError);
    return error as CommandError;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runner-'));
    await writeFile(join(folder, 'kind'), PUPPET, { mode: 0o755 });
    runner = create(configure());
  });

  afterEach(async () => {
    for (const pid of stray.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  describe('run', () => {
    it('passes arguments unchanged, without a shell', async () => {
      const args = ['a b', '$(id)', '; exit 9', '"', "'", '*', '--flag=a\nb', '', '`id`'];
      const { stdout } = await run(['say', ...args]);
      expect(stdout).toBe(args.map((argument) => `[${argument}]\n`).join(''));
    });

    it('passes only allowed environment variables to the program', async () => {
      const { stdout } = await run(['environment'], {
        environment: { KIND_EXPERIMENTAL_PROVIDER: 'docker' },
        owner: 'job-7',
      });
      const names = stdout.split('\n').map((line) => line.split('=')[0]);
      expect(names).toEqual(
        expect.arrayContaining(['PATH', 'HOME', 'LANG', 'KIND_EXPERIMENTAL_PROVIDER', 'SLIPWAY_OWNER']),
      );
      for (const name of [
        'APP_PASS',
        'SECRET_KEY',
        'APP_KIND',
        'KIND_CLUSTER_NAME',
        'KUBECONFIG',
        'AWS_SECRET_ACCESS_KEY',
        'NODE_OPTIONS',
      ]) {
        expect(names).not.toContain(name);
      }
    });

    it('starts the program in its own process group and in the requested folder', async () => {
      const { stdout } = await run(['where'], { workingDirectory: folder });
      const [place, pid, group] = stdout.trim().split(/\s+/);
      expect(place).toBe(folder);
      expect(group).toBe(pid);
    });

    it('reports each line of output as plain text', async () => {
      const lines: OutputLine[] = [];
      await run(['lines'], { onLine: (line) => lines.push(line) });
      const of = (stream: string): string[] =>
        lines.filter((line) => line.stream === stream).map(({ text }) => text);
      expect(of('stdout')).toEqual(['one', 'two', 'three', 'red', 'without an end']);
      expect(of('stderr')).toEqual(['problem']);
    });

    it('limits the memory of the program, which has the recorded process id', async () => {
      const pids: number[] = [];
      const { stdout } = await run(['memory'], { memoryMb: 1024, onStarted: ({ pid }) => pids.push(pid) });
      expect(stdout.split('\n')).toEqual(['1000000', String(pids[0]), '']);
    });

    it('limits the captured output and marks the omitted middle', async () => {
      const { stdout } = await run(['flood']);
      expect(stdout.length).toBeLessThan(2_100_000);
      expect(stdout).toMatch(/^begin\n[\s\S]*characters omitted\][\s\S]*end\n$/);
    });

    it('calls onStarted before the first line, and onEnded after the group has ended', async () => {
      const happened: string[] = [];
      const identities: ProcessIdentity[] = [];
      await run(['say', 'x'], {
        onStarted: (identity, commandLine) => {
          happened.push(`started ${commandLine}`);
          identities.push(identity);
        },
        onLine: () => happened.push('line'),
        onEnded: ({ pid }) => happened.push(pid === identities[0]?.pid ? 'ended' : 'another process ended'),
      });
      expect(happened).toEqual(['started kind say x', 'line', 'ended']);
      expect(identities[0]?.pid).toBeGreaterThan(1);
      expect(identities[0]?.bootId).not.toBe('');
    });
  });

  describe('CommandError', () => {
    it('has the exit status, the output and a redacted command line', async () => {
      const error = await failureOf(run(['fail', 'it is', "o'clock", '--password=hunter2hunter2']));
      expect(error).toMatchObject({ failure: 'failed', exitCode: 3 });
      expect(error.message).toBe('kind failed with exit status 3: no such thing; see the manual');
      expect(error.stderr).toContain('see the manual');
      expect(error.commandLine).toBe(`kind fail 'it is' 'o'\\''clock' --password=[removed]`);
    });

    it('reports a missing program, even if another copy is on PATH', async () => {
      runner = create(configure({ APP_KIND: join(folder, 'nowhere') }));
      expect(await runner.locate('kind')).toBeUndefined();
      expect(await failureOf(run(['say']))).toMatchObject({
        failure: 'not-found',
        message: 'kind is not installed',
      });
    });

    it('reports a program that cannot be started', async () => {
      await writeFile(join(folder, 'kind'), '#!/no/such/interpreter\n', { mode: 0o755 });
      expect(await failureOf(run(['say']))).toMatchObject({ failure: 'not-started' });
    });

    it('reports a timeout after ending the process group', async () => {
      const started: number[] = [];
      const error = await failureOf(
        run(['wait'], { timeoutMs: 200, onStarted: ({ pid }) => started.push(pid) }),
      );
      expect(error).toMatchObject({ failure: 'timed-out' });
      expect(error.message).toMatch(/timed out after \d+ s/);
      expect(isGroupAlive(started[0])).toBe(false);
    });
  });

  describe('the abort signal', () => {
    it('prevents the start if already aborted', async () => {
      let wasStarted = false;
      const error = await failureOf(
        run(['wait'], { signal: AbortSignal.abort(), onStarted: () => (wasStarted = true) }),
      );
      expect(error).toMatchObject({ failure: 'aborted' });
      expect(wasStarted).toBe(false);
    });

    it('ends a group that handles SIGTERM before the grace period is over', async () => {
      const cancel = new AbortController();
      const began = performance.now();
      const error = await failureOf(
        run(['wait'], { signal: cancel.signal, graceMs: 100_000, onLine: () => cancel.abort() }),
      );
      expect(error).toMatchObject({ failure: 'aborted' });
      expect(performance.now() - began).toBeLessThan(90_000);
    });

    it('kills a group that ignores SIGTERM after the grace period', async () => {
      const cancel = new AbortController();
      const graceMs = 300;
      let aborted = 0;
      const endedAlive: boolean[] = [];
      await failureOf(
        run(['stubborn'], {
          signal: cancel.signal,
          graceMs,
          onLine: ({ text }) => {
            stray.push(Number(text.split(' ')[1]));
            aborted = performance.now();
            cancel.abort();
          },
          onEnded: () => endedAlive.push(isAlive(stray[0])),
        }),
      );
      expect(performance.now() - aborted).toBeGreaterThanOrEqual(graceMs - 5);
      expect(endedAlive).toEqual([false]);
    });
  });

  describe('endLeftovers', () => {
    interface Leftover extends ProcessIdentity {
      grandchild: number;
    }

    /** Starts a program that keeps running, as after a crash of the server. */
    const leave = async (command: 'stubborn' | 'orphan', owner: string): Promise<Leftover> => {
      let identity: ProcessIdentity | undefined;
      let grandchild = 0;
      const running = run([command], {
        owner,
        onStarted: (started) => (identity = started),
        onLine: ({ text }) => (grandchild = Number(text.split(' ')[1])),
      }).catch(() => undefined);
      await waitFor(() => grandchild > 0, 'the grandchild');
      if (command === 'orphan') await running;
      if (!identity) throw new Error('onStarted was not called');
      stray.push(identity.pid, grandchild);
      return { ...identity, grandchild };
    };
    const later = (): ProcessRunner => create(configure());

    it('ends the whole group of a recorded process', async () => {
      const left = await leave('stubborn', 'job-1');
      expect(await later().endLeftovers([{ ...left, owner: 'job-1' }], [])).toBeGreaterThanOrEqual(2);
      expect([isAlive(left.pid), isAlive(left.grandchild)]).toEqual([false, false]);
    });

    it('ends a group whose leader has already ended', async () => {
      const left = await leave('orphan', 'job-2');
      expect(isAlive(left.pid)).toBe(false);
      await later().endLeftovers([{ ...left, owner: 'job-2' }], []);
      expect(isAlive(left.grandchild)).toBe(false);
    });

    it('ignores a process that reuses the pid', async () => {
      const left = await leave('stubborn', 'job-3');
      expect(await later().endLeftovers([{ ...left, started: 'earlier', owner: 'job-3' }], [])).toBe(0);
      expect(await later().endLeftovers([{ ...left, bootId: 'another boot', owner: 'job-3' }], [])).toBe(0);
      expect([isAlive(left.pid), isAlive(left.grandchild)]).toEqual([true, true]);
    });

    it('finds unrecorded processes by their owner', async () => {
      const left = await leave('stubborn', 'job-4');
      expect(await later().endLeftovers([], ['another-job'])).toBe(0);
      expect(await later().endLeftovers([], ['job-4'])).toBeGreaterThanOrEqual(1);
      expect(isAlive(left.pid)).toBe(false);
    });
  });

  it('supports a closed list of programs', () => {
    expect(PROGRAMS).toEqual([
      'kind',
      'docker',
      'podman',
      'helm',
      'systemctl',
      'loginctl',
      'xdg-open',
      'open',
      'prlimit',
    ]);
  });
}

/** Without zombies, which their parent or init has not reaped. */
function living(): { pid: number; group: number }[] {
  return execFileSync('ps', ['-axo', 'pid=,pgid=,state='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([pid, group]) => ({ pid: Number(pid), group: Number(group) }));
}

function isAlive(pid: number | undefined): boolean {
  return living().some((entry) => entry.pid === pid);
}

function isGroupAlive(group: number | undefined): boolean {
  return living().some((entry) => entry.group === group);
}
