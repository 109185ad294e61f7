import type { WebSocket } from 'ws';
import { closeSocket, sendMessage } from '../../core/api/index.js';
import { asSentence, type ErrorCode, guarded } from '../../core/errors/index.js';
import { jsonValue } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import type { ProgramEnd, RunningProgram } from '../../drivers/runtime/index.js';
import { mayBeEndOfContainer } from './container-end.js';
import { ShellFlow } from './shell-flow.js';
import type { ShellServerMessage } from './shell-messages.js';

const MAX_SIDE = 1000;
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const POLICY_VIOLATION = 1008;
const NORMAL = 1000;

/** Connects the terminal of a shell to a socket, until one of them ends. */
export class OpenShell {
  /** Resolves when the shell or the socket has ended. True if the shell exited. */
  readonly ended: Promise<boolean>;
  private readonly settle: (exited: boolean) => void;
  private readonly flow: ShellFlow;

  constructor(
    private readonly socket: WebSocket,
    private readonly program: RunningProgram,
    private readonly endOfPlace: () => Promise<string | null>,
  ) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.ended = promise;
    this.settle = resolve;
    const { stream } = program;
    stream.on('error', () => undefined);
    this.flow = new ShellFlow(stream, {
      onOutput: (data) => {
        if (socket.readyState === socket.OPEN) socket.send(data, { binary: true });
      },
      onAcknowledge: (bytes) => this.send({ type: 'ack', bytes }),
    });
    const receive = guarded((data: Buffer, isBinary: boolean) => this.receive(data, isBinary), stream);
    socket.on('message', receive);
    socket.once('close', () => this.leave());
    // The client receives all output before it reads about the end.
    stream.once('end', () => stream.destroy());
    stream.once('close', () => void program.ended.then(async (end) => await this.finish(end)));
  }

  /** Closes the socket and leaves the shell, whose processes then have to be ended. */
  close(code: ErrorCode, message: string): void {
    this.send({ type: 'error', code, message, no_shell: false });
    closeSocket(this.socket, NORMAL);
    this.leave();
  }

  private leave(): void {
    this.settle(false);
    this.program.stream.destroy();
  }

  private async finish(end: ProgramEnd): Promise<void> {
    this.settle(end.exitCode !== null);
    const place = mayBeEndOfContainer(end.exitCode) ? await this.endOfPlace().catch(() => null) : null;
    const message = place === null ? describeEnd(end) : `The shell ended because ${place}.`;
    this.send({ type: 'exit', exit_code: end.exitCode, message });
    this.socket.close(NORMAL);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      if (!this.flow.input(data)) this.refuse('the shell does not read its input');
      return;
    }
    const { type, ...message } = recordOf(jsonValue(data.toString('utf8')));
    if (type === 'resize') this.resize(message);
    else if (type === 'ack' && !this.flow.acknowledge(message['bytes'])) {
      this.refuse('invalid acknowledgment');
    }
  }

  private resize({ columns, rows }: Record<string, unknown>): void {
    if (isSide(columns) && isSide(rows)) this.program.resize({ columns, rows });
    else this.refuse('invalid size');
  }

  private refuse(reason: string): void {
    closeSocket(this.socket, POLICY_VIOLATION, reason);
  }

  private send(message: ShellServerMessage): void {
    if (this.socket.readyState === this.socket.OPEN) sendMessage(this.socket, message);
  }
}

function isSide(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SIDE;
}

function describeEnd({ exitCode, problem }: ProgramEnd): string {
  if (problem !== null) return asSentence(`The connection to the shell ended: ${problem}`);
  return exitCode === 0 ? 'The shell ended.' : `The shell ended with exit code ${exitCode}.`;
}
