import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { waitFor } from '../wait-for.js';
import { BUILT_SERVER, COMPILED } from './built-server.js';

export interface CliResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A command of the built command line as a process. */
export class CliProcess {
  stdout = '';
  stderr = '';
  private readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, Readable>) {
    child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve) => child.on('close', resolve));
    // It may have ended before its input is closed.
    child.stdin.on('error', () => undefined);
  }

  /** @param environment its whole environment. */
  static start(environment: NodeJS.ProcessEnv, ...args: string[]): CliProcess {
    return CliProcess.spawn(environment, process.execPath, [BUILT_SERVER, ...args]);
  }

  /** The same on a terminal, whose output is `stdout`. */
  static startOnTerminal(environment: NodeJS.ProcessEnv, ...args: string[]): CliProcess {
    const line = [process.execPath, BUILT_SERVER, ...args].map((word) => `'${word}'`).join(' ');
    return CliProcess.spawn({ TERM: 'xterm', ...environment }, 'script', ['-qec', line, '/dev/null']);
  }

  private static spawn(environment: NodeJS.ProcessEnv, program: string, args: string[]): CliProcess {
    const env = { SLIPWAY_ENV_FILE: '/dev/null', NODE_COMPILE_CACHE: COMPILED, ...environment };
    return new CliProcess(spawn(program, args, { cwd: tmpdir(), env, stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  /** Waits for a text on one of the streams. */
  async until(text: string): Promise<void> {
    await waitFor(
      () => (this.stdout + this.stderr).includes(text),
      () => `"${text}" in the output\n${this.stdout}${this.stderr}\n`,
    );
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for its end. @param input written to its standard input. */
  async end(input = ''): Promise<CliResult> {
    this.child.stdin.end(input);
    return await this.result();
  }

  async result(): Promise<CliResult> {
    const status = await this.ended;
    return { status, stdout: this.stdout, stderr: this.stderr };
  }
}
