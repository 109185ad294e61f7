import { Duplex } from 'node:stream';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { guarded } from '../../core/errors/index.js';
import { jsonValue } from '../../core/parsing/index.js';
import type { ProgramEnd, RunningProgram, TerminalSize } from '../runtime/index.js';
import type { ApiResponse } from './api-connection.js';
import { readStatus } from './api-status.js';
import { asBuffer, openChannels } from './channel-socket.js';

/** Version 5 can close the standard input (Kubernetes 1.30); all versions support 4. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const [CLOSING_PROTOCOL] = PROTOCOLS;
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;
const MAX_ERROR_OUTPUT = 2000;

/** The streams of a program. The socket is not read while the consumer does not read. */
class PodProgram extends Duplex implements RunningProgram {
  readonly stream = this;
  readonly ended: Promise<ProgramEnd>;
  private readonly settle: (end: ProgramEnd) => void;
  private errors: Buffer = Buffer.alloc(0);
  private isEnded = false;

  constructor(private readonly socket: WebSocket) {
    super({ allowHalfOpen: true });
    const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
    this.ended = promise;
    this.settle = resolve;
    const receive = guarded((message: RawData) => this.receive(asBuffer(message)), this);
    socket.on('message', receive);
    socket.on('close', () => this.finish(lost('the connection to the container ended')));
    socket.on('error', (error) => this.destroy(error));
  }

  errorOutput(): string {
    return this.errors.toString('utf8').trim();
  }

  resize({ columns, rows }: TerminalSize): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.send(CHANNEL.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows })));
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.send(CHANNEL.stdin, chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.socket.readyState === WebSocket.OPEN && this.socket.protocol === CLOSING_PROTOCOL) {
      this.send(CHANNEL.close, Buffer.of(CHANNEL.stdin), done);
    } else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.settle(lost(error?.message ?? 'the connection to the container was closed'));
    this.socket.terminate();
    done(error);
  }

  private send(channel: number, data: Buffer, done?: (error?: Error | null) => void): void {
    this.socket.send(Buffer.concat([Buffer.of(channel), data]), { binary: true }, done);
  }

  private receive(frame: Buffer): void {
    if (this.isEnded) return;
    const data = frame.subarray(1);
    switch (frame[0]) {
      case CHANNEL.stdout:
        if (data.length > 0 && !this.push(data)) this.socket.pause();
        break;
      case CHANNEL.stderr:
        this.errors = Buffer.concat([this.errors, data]).subarray(-MAX_ERROR_OUTPUT);
        break;
      case CHANNEL.status:
        this.finish(endOf(data.toString('utf8')));
        // Some versions of the kubelet leave this to the client.
        this.socket.close();
        break;
      default:
    }
  }

  private finish(end: ProgramEnd): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.settle(end);
    this.push(null);
  }
}

/**
 * @param url of the subresource `exec` with the command.
 * @returns a response instead if the server rejects the request.
 */
export async function openProgram(url: URL, tls: ClientOptions): Promise<RunningProgram | ApiResponse> {
  return await openChannels(url, PROTOCOLS, tls, (socket) => new PodProgram(socket));
}

/** Reads the `meta/v1 Status` with which the kubelet reports the end of a program. */
function endOf(text: string): ProgramEnd {
  const status = readStatus(jsonValue(text)) ?? {};
  if (status.status === 'Success') return { exitCode: 0, problem: null };
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  if (/^\d{1,3}$/.test(code)) return { exitCode: Number(code), problem: null };
  return lost(status.message ?? 'the container gave no reason');
}

function lost(problem: string): ProgramEnd {
  return { exitCode: null, problem: problem.trim().slice(0, 1000) };
}
