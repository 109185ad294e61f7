import type { ShellClientMessage, ShellServerMessage } from '../../shared/api/api-types';

/** Input that the server may leave unacknowledged. */
const INPUT_WINDOW = 128 * 1024;
const INPUT_FRAME = 16 * 1024;
/** Close codes of the server. */
const SESSION_ENDED = 4401;
const TOO_MANY_SOCKETS = 4429;

export interface ShellEnd {
  text: string;
  /** Whether the image has no shell, so that a debug container helps. */
  noShell: boolean;
  /** Whether the user has ended it. */
  exited: boolean;
}

export interface ShellListener {
  /** Call `acknowledge` with the length once the bytes are processed. */
  onOutput: (bytes: Uint8Array) => void;
  onReady: () => void;
  onProgress: (text: string) => void;
  /** Called once. */
  onEnd: (end: ShellEnd) => void;
}

/** The socket of a shell, with flow control in both directions. */
export class ShellConnection {
  private readonly pending: Uint8Array<ArrayBuffer>[] = [];
  private unacknowledged = 0;
  private isReady = false;
  private hasEnded = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly listener: ShellListener,
  ) {
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) listener.onOutput(new Uint8Array(data));
      else if (typeof data === 'string') this.receive(JSON.parse(data) as ShellServerMessage);
    };
    socket.onclose = ({ code }) => this.end({ text: closeText(code), noShell: false, exited: false });
  }

  /** Sends input. Does nothing before the shell is ready. */
  type(bytes: Uint8Array): void {
    if (!this.isReady || this.hasEnded) return;
    for (let at = 0; at < bytes.length; at += INPUT_FRAME) {
      this.pending.push(bytes.slice(at, at + INPUT_FRAME));
    }
    this.flush();
  }

  resize(columns: number, rows: number): void {
    if (this.isReady) this.send({ type: 'resize', columns, rows });
  }

  acknowledge(bytes: number): void {
    this.send({ type: 'ack', bytes });
  }

  /** Ends the shell. */
  close(): void {
    this.hasEnded = true;
    this.socket.close();
  }

  private receive(message: ShellServerMessage): void {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.listener.onReady();
        break;
      case 'progress':
        this.listener.onProgress(message.message);
        break;
      case 'ack':
        this.unacknowledged -= message.bytes;
        this.flush();
        break;
      case 'exit':
        this.end({ text: message.message, noShell: false, exited: message.exit_code !== null });
        break;
      case 'error':
        this.end({ text: message.message, noShell: message.no_shell, exited: false });
        break;
      case 'session_ending':
    }
  }

  private flush(): void {
    while (this.unacknowledged < INPUT_WINDOW) {
      const bytes = this.pending.shift();
      if (!bytes) return;
      this.unacknowledged += bytes.length;
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes);
    }
  }

  private end(end: ShellEnd): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.listener.onEnd(end);
  }

  private send(message: ShellClientMessage): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

function closeText(code: number): string {
  if (code === SESSION_ENDED) return $localize`The shell was closed because your session has ended.`;
  if (code === TOO_MANY_SOCKETS) return $localize`Your session has too many connections. Close some tabs.`;
  return $localize`The connection to the shell was lost.`;
}
