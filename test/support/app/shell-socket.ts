import { WebSocket, type ClientOptions } from 'ws';
import type { ShellServerMessage } from '../../../backend/src/modules/shells/index.js';
import { waitFor } from '../wait-for.js';

type MessageOf<Type> = Extract<ShellServerMessage, { type: Type }>;

const INPUT_FRAME = 16 * 1024;
const INPUT_WINDOW = 128 * 1024;

/** A client of a shell. */
export class ShellSocket {
  readonly messages: ShellServerMessage[] = [];
  closed: { code: number; reason: string } | undefined;
  private readonly chunks: Buffer[] = [];

  private constructor(
    private readonly socket: WebSocket,
    acknowledges: boolean,
  ) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.messages.push(JSON.parse(data.toString('utf8')) as ShellServerMessage);
      else {
        this.chunks.push(data);
        if (acknowledges) this.send({ type: 'ack', bytes: data.length });
      }
    });
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    // The close that follows has the reason.
    socket.on('error', () => undefined);
  }

  /** @throws Error with the status if the upgrade is rejected: "Unexpected server response: 403" */
  static async open(
    url: string,
    { acknowledges = true, ...options }: ClientOptions & { acknowledges?: boolean } = {},
  ): Promise<ShellSocket> {
    const socket = new WebSocket(url, { handshakeTimeout: 10_000, ...options });
    const shell = new ShellSocket(socket, acknowledges);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return shell;
  }

  get output(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** The output without control sequences and carriage returns. */
  get text(): string {
    return this.output.toString('utf8').replace(/\u001b\[[\d;?]*[A-Za-z]|\r/g, '');
  }

  type(text: string | Buffer): void {
    this.socket.send(Buffer.from(text), { binary: true });
  }

  /** Sends input as fast as the shell reads it. */
  async typeAll(data: Buffer): Promise<void> {
    const before = this.acknowledged;
    for (let from = 0; from < data.length; from += INPUT_FRAME) {
      const isRead = (): boolean => from - (this.acknowledged - before) < INPUT_WINDOW;
      await waitFor(isRead, () => `acknowledgments after ${from} bytes`);
      this.type(data.subarray(from, from + INPUT_FRAME));
    }
  }

  private get acknowledged(): number {
    return this.messages.reduce((sum, message) => sum + (message.type === 'ack' ? message.bytes : 0), 0);
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async next<Type extends ShellServerMessage['type']>(type: Type): Promise<MessageOf<Type>> {
    const find = (): MessageOf<Type> | undefined =>
      this.messages.find((message): message is MessageOf<Type> => message.type === type);
    await waitFor(
      () => find() !== undefined,
      () => `${type} among ${JSON.stringify(this.messages)}, ${JSON.stringify(this.closed)}`,
    );
    return find() as MessageOf<Type>;
  }

  async untilText(pattern: RegExp): Promise<void> {
    await waitFor(
      () => pattern.test(this.text),
      () => `${String(pattern)} in ${JSON.stringify(this.text.slice(-2000))}`,
    );
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    await waitFor(() => this.closed !== undefined, 'the end of the socket');
    return this.closed ?? { code: 0, reason: '' };
  }

  close(): void {
    this.socket.terminate();
  }
}
