import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EngineName, Exchange } from '../../transcripts/transcript.js';
import type { EngineWorld } from './engine-world.js';

type Reply = Pick<Exchange, 'status' | 'body'>;
type Stream = 'stdout' | 'stderr';

/** Engines keep longer lines as several pieces: Docker by its copier's buffer, Podman by conmon's. */
const PIECE_BYTES = { docker: 16_384, podman: 8192 } as const;
const CODES = { stdout: 1, stderr: 2 } as const;

interface Written {
  stream: Stream;
  at: Date;
  bytes: Buffer;
}

/** A container that is not a node, with the properties of its log. */
export interface ScriptedContainer {
  id: string;
  name: string;
  tty: boolean;
  driver: string;
  running: boolean;
  /** Chunks to send instead of the log; optionally the connection breaks afterwards. */
  raw?: Iterable<Buffer>;
  breaks?: boolean;
  /** Whether each chunk waits until the reader can have read the previous one. */
  apart?: boolean;
}

/** A program that is run in a container and read line by line. */
export interface ScriptedProgram {
  stdout: string[];
  stderr?: string;
  /** Absent for one that runs until its input ends. */
  exitCode?: number;
  /** Number of running instances. */
  running: number;
}

interface Execution {
  program: ScriptedProgram;
  exitCode: number | null;
}

/**
 * The logs of a scripted engine's containers, and the followed programs in them. Frames, errors and
 * their order are those of Docker 20.10 and Podman 4.3.
 */
export class ScriptedLogs {
  readonly containers: ScriptedContainer[] = [];
  /** By their commands, joined by spaces, or by their first word alone. */
  readonly programs = new Map<string, ScriptedProgram>();
  /** Bytes of raw logs that the connections have taken. */
  sentBytes = 0;
  private readonly written = new Map<string, Written[]>();
  private readonly executions = new Map<string, Execution>();
  private readonly changes = new EventEmitter<{ change: [] }>().setMaxListeners(100);

  constructor(
    private readonly engine: EngineName,
    private readonly world: EngineWorld,
  ) {
    world.events.on('event', () => this.changes.emit('change'));
  }

  add(name: string, more: Partial<ScriptedContainer> = {}): ScriptedContainer {
    const id = randomBytes(32).toString('hex');
    const added = { id, name, tty: false, driver: 'json-file', running: false, ...more };
    this.containers.push(added);
    return added;
  }

  /** One line, or a piece of a long one. */
  write(id: string, text: string | Buffer, stream: Stream = 'stdout', at = new Date()): void {
    const lines = this.written.get(id) ?? [];
    lines.push({ stream, at, bytes: Buffer.from(text) });
    this.written.set(id, lines);
    this.changes.emit('change');
  }

  summaries(): unknown[] {
    return this.containers.map(({ id, name, running }) => ({
      Id: id,
      Names: [`/${name}`],
      Image: 'docker.io/library/redis:8.2',
      State: running ? 'running' : 'exited',
      Created: Math.floor(Date.now() / 1000),
      Labels: {},
    }));
  }

  inspect(id: string): Reply | undefined {
    const found = this.containers.find((container) => container.id === id);
    if (!found) return undefined;
    const { name, tty, driver } = found;
    return {
      status: 200,
      body: {
        Id: id,
        Name: name,
        Config: { Tty: tty },
        HostConfig: { LogConfig: { Type: driver, Config: {} } },
      },
    };
  }

  /** @param argument `<id>/logs?<query>`. @returns the error if the log is not sent. */
  send(argument: string, response: ServerResponse): Reply | undefined {
    const [id = '', query = ''] = argument.split('/logs?');
    const container = this.find(id);
    if (!container) return { status: 404, body: { message: `No such container: ${id}` } };
    if (container.driver === 'none') return this.refusal(id);
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    if (container.raw) this.sendRaw(container, response);
    else this.follow(container, new URLSearchParams(query), response);
    return undefined;
  }

  private refusal(id: string): Reply {
    if (this.engine === 'docker') {
      return { status: 501, body: { message: 'configured logging driver does not support reading' } };
    }
    const cause = 'this container is not logging output';
    const message = `failed to obtain logs for Container '${id}': this container is using the 'none' log driver, cannot read logs: ${cause}`;
    return { status: 500, body: { cause, message, response: 500 } };
  }

  private find(id: string): ScriptedContainer | undefined {
    const own = this.containers.find((container) => container.id === id);
    const node = this.world.find(id);
    if (own || !node) return own;
    return { id, name: node.name, tty: false, driver: 'json-file', running: node.state !== 'exited' };
  }

  private sendRaw(
    { raw = [], breaks = false, apart = false }: ScriptedContainer,
    response: ServerResponse,
  ): void {
    const chunks = raw[Symbol.iterator]();
    const next = (): void => {
      for (;;) {
        const chunk = chunks.next();
        if (chunk.done === true) break;
        this.sentBytes += chunk.value.length;
        if (!response.write(chunk.value)) {
          response.once('drain', next);
          return;
        }
        if (apart) {
          setImmediate(next);
          return;
        }
      }
      if (!breaks) response.end();
      // Send pending data before the engine stops.
      else response.write('', () => response.destroy());
    };
    next();
  }

  private follow(container: ScriptedContainer, query: URLSearchParams, response: ServerResponse): void {
    const all = (): Written[] => this.written.get(container.id) ?? [];
    const tail = query.get('tail');
    // With a tail, Podman corrupts lines.
    if (this.engine === 'podman' && tail !== null) throw new Error('requests to Podman must not have a tail');
    const since = Number(query.get('since') ?? 0) * 1000;
    const first = all().filter(({ at }) => at.getTime() >= since);
    for (const written of first.slice(-Number(tail ?? Infinity))) {
      this.sendLine(container, written, response);
    }
    if (query.get('follow') === 'false') {
      response.end();
      return;
    }
    let sent = all().length;
    const look = (): void => {
      for (const written of all().slice(sent)) this.sendLine(container, written, response);
      sent = all().length;
      if (this.find(container.id)?.running !== true) response.end();
    };
    this.changes.on('change', look);
    response.once('close', () => this.changes.off('change', look));
    response.flushHeaders();
    look();
  }

  private sendLine(
    { tty }: ScriptedContainer,
    { stream, at, bytes }: Written,
    response: ServerResponse,
  ): void {
    const size = PIECE_BYTES[this.engine];
    for (let from = 0; from < bytes.length; from += size) {
      const payload = Buffer.concat([Buffer.from(this.prefix(at)), bytes.subarray(from, from + size)]);
      response.write(tty ? payload : frame(stream, payload));
    }
  }

  private prefix(at: Date): string {
    const text = at.toISOString();
    return this.engine === 'docker' ? `${text.slice(0, -1)}000000Z ` : `${text.slice(0, 19)}Z `;
  }

  /** @returns undefined for a program without input. @throws Error for a program without a script. */
  execute(id: string, body: string): Reply | undefined {
    const { Cmd, AttachStdin } = JSON.parse(body) as { Cmd: string[]; AttachStdin?: boolean };
    if (AttachStdin !== true) return undefined;
    const [shell, option, , , ...command] = Cmd;
    const program = this.programs.get(command.join(' ')) ?? this.programs.get(command[0] ?? '');
    if (shell !== 'sh' || option !== '-c' || !program) throw new Error(`no script for ${Cmd.join(' ')}`);
    const container = this.find(id);
    if (!container) return { status: 404, body: { message: `No such container: ${id}` } };
    if (!container.running) return { status: 409, body: { message: `Container ${id} is not running` } };
    const execution = randomBytes(32).toString('hex');
    this.executions.set(execution, { program, exitCode: null });
    return { status: 201, body: { Id: execution } };
  }

  execution(id: string): Reply | undefined {
    const found = this.executions.get(id);
    return found && { status: 200, body: { ID: id, Running: false, ExitCode: found.exitCode } };
  }

  /** Connects a client to an execution. @returns whether it exists. */
  attach(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const [, id = ''] = /^\/exec\/([^/]+)\/start$/.exec(request.url ?? '') ?? [];
    const execution = this.executions.get(id);
    if (!execution) return false;
    // The body of the request precedes the input.
    let body = Number(request.headers['content-length'] ?? 0) - head.length;
    const begin = (): void => this.run(execution, socket);
    if (body <= 0) begin();
    socket.on('data', (chunk: Buffer) => {
      if (body <= 0) return;
      body -= chunk.length;
      if (body <= 0) begin();
    });
    return true;
  }

  private run(execution: Execution, socket: Duplex): void {
    const { program } = execution;
    program.running += 1;
    let isOver = false;
    const end = (exitCode: number): void => {
      if (isOver) return;
      isOver = true;
      program.running -= 1;
      execution.exitCode = exitCode;
      socket.end();
    };
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    for (const text of program.stdout) socket.write(frame('stdout', Buffer.from(text)));
    if (program.stderr !== undefined) socket.write(frame('stderr', Buffer.from(program.stderr)));
    // It ends with its input, because the shell that runs it ends it.
    for (const event of ['end', 'close', 'error']) socket.on(event, () => end(143));
    if (program.exitCode !== undefined) end(program.exitCode);
  }
}

export function frame(stream: Stream, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = CODES[stream];
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}
