/** Kubelets send frames of 32 kB. */
const MAX_FRAME = 16_000_000;
const MAX_CONTROL = 125;
export const OPCODE = { more: 0, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const KNOWN = new Set<number>(Object.values(OPCODE));

export interface FrameReceiver {
  /**
   * A piece of a binary message. It is valid during the call only.
   * @param isFirst whether a message begins with it
   * @param isLast whether a frame ends with it
   */
  data: (piece: Buffer, isFirst: boolean, isLast: boolean) => void;
  control: (opcode: number, payload: Buffer) => void;
}

/**
 * Reads what a server sends through a WebSocket (RFC 6455) without keeping messages: a library that returns each message
 * as a buffer copies and allocates all that a download transfers.
 */
export class FrameReader {
  private readonly head = Buffer.alloc(10);
  private headLength = 0;
  private opcode = 0;
  /** Bytes that the payload of the current frame still has. */
  private left = 0;
  private control: Buffer[] = [];
  private isFirst = true;
  /** Whether a message continues in the next data frame. */
  private isOpen = false;

  constructor(private readonly receiver: FrameReceiver) {}

  /** @throws Error if the server violates the protocol */
  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.left > 0) {
        const piece = bytes.subarray(at, at + this.left);
        at += piece.length;
        this.left -= piece.length;
        this.take(piece);
      } else {
        this.head[this.headLength++] = bytes[at++] ?? 0;
        this.readHead();
      }
    }
  }

  private readHead(): void {
    const { head, headLength } = this;
    const [first = 0, second = 0] = head;
    const short = second & 0x7f;
    const size = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    if (headLength < 2 || headLength < size) return;
    this.headLength = 0;
    this.left = size === 2 ? short : size === 4 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
    this.opcode = first & 0x0f;
    this.check(first, second);
    if (this.opcode >= OPCODE.close) {
      if (this.left === 0) this.receiver.control(this.opcode, Buffer.alloc(0));
      return;
    }
    if (this.opcode === OPCODE.binary) this.isFirst = true;
    this.isOpen = (first & 0x80) === 0;
  }

  private check(first: number, second: number): void {
    const isControl = this.opcode >= OPCODE.close;
    const isKnown = KNOWN.has(this.opcode);
    const isInOrder = isControl || (this.opcode === OPCODE.more) === this.isOpen;
    const isWhole = !isControl || ((first & 0x80) !== 0 && this.left <= MAX_CONTROL);
    const isPlain = (first & 0x70) === 0 && (second & 0x80) === 0;
    if (!isKnown || !isInOrder || !isWhole || !isPlain || this.left > MAX_FRAME) {
      throw new Error('the API server sent an invalid WebSocket frame');
    }
  }

  private take(piece: Buffer): void {
    if (this.opcode < OPCODE.close) {
      this.receiver.data(piece, this.isFirst, this.left === 0);
      this.isFirst = false;
      return;
    }
    this.control.push(Buffer.from(piece));
    if (this.left > 0) return;
    const payload = Buffer.concat(this.control);
    this.control = [];
    this.receiver.control(this.opcode, payload);
  }
}
