import { Duplex } from 'node:stream';
import type { ProgramEnd, RunningProgram, TerminalSize } from '../runtime/index.js';

const PROMPT = '/ # ';
const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];
const MAX_LINE = 4096;

/** A scripted shell on a terminal. It knows a few commands. */
export class DemoShell extends Duplex implements RunningProgram {
  readonly stream = this;
  readonly ended: Promise<ProgramEnd>;
  private readonly settle: (end: ProgramEnd) => void;
  private size: TerminalSize = { columns: 80, rows: 24 };
  private line = '';
  private shown = '';
  private isOver = false;

  /** @param command that starts the shell. It prints its last argument and its process id first. */
  constructor(
    private readonly host: string,
    command: readonly string[],
  ) {
    super();
    const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
    this.ended = promise;
    this.settle = resolve;
    this.push(`${command.at(-1)} 1\r\n${PROMPT}`);
  }

  errorOutput(): string {
    return '';
  }

  resize(size: TerminalSize): void {
    this.size = size;
  }

  override _read(): void {
    return;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (const character of chunk.toString('utf8')) this.type(character);
    if (this.shown !== '') this.push(this.shown);
    this.shown = '';
    if (this.isOver) this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.settle({ exitCode: null, problem: 'the connection to the container was closed' });
    done(error);
  }

  private type(character: string): void {
    if (this.isOver) return;
    if (character === '\r') this.enter();
    else if (character === CTRL_D && this.line === '') this.exit();
    else if (character === CTRL_C) this.next('^C\r\n');
    else if (character === '\u007f') this.erase();
    else if (character >= ' ' && this.line.length < MAX_LINE) {
      this.line += character;
      this.shown += character;
    }
  }

  private erase(): void {
    if (this.line !== '') this.shown += '\b \b';
    this.line = [...this.line].slice(0, -1).join('');
  }

  private enter(): void {
    const [command = '', ...words] = this.line.trim().split(/\s+/);
    this.shown += '\r\n';
    if (command === 'exit') this.exit(Number(words[0] ?? 0) || 0);
    else this.next(this.run(command, words));
  }

  private run(command: string, words: readonly string[]): string {
    if (command === '') return '';
    if (command === 'echo') return `${words.join(' ')}\r\n`;
    if (command === 'hostname') return `${this.host}\r\n`;
    if (command === 'stty') return `${this.size.rows} ${this.size.columns}\r\n`;
    if (command === 'ls') return 'bin  dev  etc  proc  sys  tmp  usr  var\r\n';
    if (command === 'env') return `HOSTNAME=${this.host}\r\nPATH=/usr/bin:/bin\r\nTERM=xterm-256color\r\n`;
    return `sh: ${command}: not found. The demo has echo, env, exit, hostname, ls and stty.\r\n`;
  }

  private next(output: string): void {
    this.line = '';
    this.shown += output + PROMPT;
  }

  private exit(exitCode = 0): void {
    this.isOver = true;
    this.settle({ exitCode, problem: null });
  }
}
