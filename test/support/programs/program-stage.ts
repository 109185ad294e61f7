import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** A call of a scripted program. */
export interface ProgramCall {
  program: string;
  pid: number;
  args: string[];
  environment: Record<string, string>;
}

/** A running program, which prints and exits as a test scripts it. */
export class ScriptedProcess {
  /** Aborts when the program exits unexpectedly. */
  readonly gone: AbortSignal;
  grandchild: number | undefined;
  private exited = false;

  constructor(
    readonly call: ProgramCall,
    private readonly socket: Socket,
  ) {
    const controller = new AbortController();
    this.gone = controller.signal;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!this.exited) controller.abort(new Error(`${call.program} was killed`));
    });
  }

  print(stream: 'stdout' | 'stderr', text: string): void {
    this.order({ [stream]: text });
  }

  /** Makes it ignore SIGTERM and start a grandchild that ignores it too. */
  async beStubborn(): Promise<void> {
    this.order({ stubborn: true });
    while (this.grandchild === undefined && !this.gone.aborted) await once(this.socket, 'received');
  }

  exit(status: number): void {
    this.exited = true;
    this.order({ exit: status });
  }

  receive(message: { grandchild?: number }): void {
    this.grandchild = message.grandchild;
    this.socket.emit('received');
  }

  private order(order: Record<string, unknown>): void {
    if (!this.socket.destroyed) this.socket.write(`${JSON.stringify(order)}\n`);
  }
}

/**
 * The folder of scripted programs for PATH, and the server that controls them. A call without a script exits with status
 * 64 and is recorded in `unexpected`.
 */
export class ProgramStage {
  readonly unexpected: string[] = [];
  readonly calls: ProgramCall[] = [];

  private constructor(
    private readonly server: Server,
    readonly bin: string,
  ) {}

  static async open(
    folder: string,
    programs: Record<string, (process: ScriptedProcess) => Promise<void>>,
  ): Promise<ProgramStage> {
    const bin = join(folder, 'bin');
    const control = join(folder, 'programs.sock');
    await mkdir(bin, { recursive: true });
    const player = pathToFileURL(join(import.meta.dirname, 'scripted-program.mjs')).href;
    for (const program of Object.keys(programs)) {
      const path = join(bin, program);
      await writeFile(
        path,
        `#!${process.execPath}\nglobalThis.scripted = ${JSON.stringify({ control, program })};\nimport(${JSON.stringify(player)});\n`,
      );
      await chmod(path, 0o755);
    }
    const server = createServer((socket) => stage.welcome(socket, programs));
    const stage = new ProgramStage(server, bin);
    server.listen(control);
    await once(server, 'listening');
    return stage;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private welcome(
    socket: Socket,
    programs: Record<string, (process: ScriptedProcess) => Promise<void>>,
  ): void {
    let running: ScriptedProcess | undefined;
    const messages = createInterface({ input: socket });
    // It forwards errors of the socket. A killed program breaks the pipe.
    messages.on('error', () => undefined);
    messages.on('line', (line) => {
      const message = JSON.parse(line) as ProgramCall & { grandchild?: number };
      if (running) {
        running.receive(message);
        return;
      }
      this.calls.push(message);
      running = new ScriptedProcess(message, socket);
      const { gone } = running;
      programs[message.program]?.(running).catch((error: unknown) => {
        // The program was killed, so errors of its script do not matter.
        if (gone.aborted) return;
        this.unexpected.push(`${message.program} ${message.args.join(' ')}: ${String(error)}`);
        running?.print('stderr', `ERROR: this test expects no such call: ${String(error)}`);
        running?.exit(64);
      });
    });
  }
}
