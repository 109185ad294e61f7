import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { waitFor } from '../support/wait-for.js';

/** How much of the 14 bits of a header a frame may set otherwise. */
export interface FrameOptions {
  opcode?: number;
  fin?: boolean;
  /** The reserved bits, 0 to 7. */
  reserved?: number;
  masked?: boolean;
  /** The announced length; by default the real one. */
  length?: bigint;
}

/** A frame of RFC 6455, also one that is invalid. */
export function frameOf(
  payload: string | Buffer,
  { opcode = 1, fin = true, reserved = 0, masked = true, length }: FrameOptions = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const announced = length ?? BigInt(bytes.length);
  const size = announced < 126n ? Number(announced) : announced < 65_536n ? 126 : 127;
  const header = [(fin ? 0x80 : 0) | (reserved << 4) | opcode, (masked ? 0x80 : 0) | size];
  const extended = Buffer.alloc(size === 126 ? 2 : size === 127 ? 8 : 0);
  if (size === 126) extended.writeUInt16BE(Number(announced));
  if (size === 127) extended.writeBigUInt64BE(announced);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const body = masked ? bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : bytes;
  return Buffer.concat([Buffer.from(header), extended, mask, body]);
}

export function closeFrame(code: number, reason = ''): Buffer {
  const payload = Buffer.concat([Buffer.alloc(2), Buffer.from(reason)]);
  payload.writeUInt16BE(code);
  return frameOf(payload, { opcode: 8 });
}

/** A client that sends any bytes after its handshake, and records what the server sends. */
export class RawSocket {
  /** Types of the JSON messages of the server. */
  readonly types: string[] = [];
  /** Of the close frame; 1006 if the connection ended without one. */
  code: number | undefined;
  private data = Buffer.alloc(0);
  private isOpen = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => (this.code ??= 1006));
  }

  static async open(port: number, path: string): Promise<RawSocket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const raw = new RawSocket(socket);
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await waitFor(() => raw.isOpen || raw.code !== undefined, 'the handshake');
    if (!raw.isOpen) throw new Error('the upgrade was rejected');
    return raw;
  }

  send(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  async untilClosed(): Promise<number> {
    await waitFor(() => this.code !== undefined, 'the end of the socket', 10_000);
    return this.code ?? 0;
  }

  /** Ends the connection without a close frame: by FIN, by RST, or by FIN of its own half alone. */
  drop(how: 'end' | 'reset' | 'half'): void {
    if (how === 'half') this.socket.end();
    else if (how === 'end') this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  private read(chunk: Buffer): void {
    this.data = Buffer.concat([this.data, chunk]);
    if (!this.isOpen) {
      const end = this.data.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!this.data.toString('latin1').startsWith('HTTP/1.1 101 ')) {
        this.socket.destroy();
        return;
      }
      this.isOpen = true;
      this.data = this.data.subarray(end + 4);
    }
    while (this.readFrame());
  }

  /** Frames of the server are not masked. */
  private readFrame(): boolean {
    const { data } = this;
    const size = (data[1] ?? 0) & 0x7f;
    const start = size === 126 ? 4 : size === 127 ? 10 : 2;
    if (data.length < start) return false;
    const length =
      size === 126 ? data.readUInt16BE(2) : size === 127 ? Number(data.readBigUInt64BE(2)) : size;
    if (data.length < start + length) return false;
    const payload = data.subarray(start, start + length);
    const opcode = (data[0] ?? 0) & 0x0f;
    if (opcode === 8) this.code = length < 2 ? 1005 : payload.readUInt16BE(0);
    if (opcode === 1) this.types.push((JSON.parse(payload.toString()) as { type: string }).type);
    this.data = data.subarray(start + length);
    return true;
  }
}
