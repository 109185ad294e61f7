const CARRIAGE_RETURN = 0x0d;
const LINE_END = 0x0a;
/** Digits of a length that is believed: 256 MB. */
const MOST_DIGITS = 7;
/** More of one chunk is not waited for where parts are told: engines cut lines long before. */
const MOST_HELD_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

type Part = 'length' | 'extension' | 'data' | 'end of data' | 'trailer';

/** Takes a chunked body apart (RFC 9112, 7.1), wherever what is read of it was cut. */
export class ChunkedBody {
  private part: Part = 'length';
  private length = 0;
  private digits = 0;
  /** Characters of the line of the trailer that is read. */
  private trailer = 0;
  private over = false;
  /** The beginning of a chunk that has not come whole; only where parts are told. */
  private held = NOTHING;

  /**
   * @param tellsParts whether what a chunk ends without ending its line is handed on by itself. A log without headers
   * says in no other way where the next part of a line begins.
   */
  constructor(private readonly tellsParts = false) {}

  /** Whether its end has come. */
  get isOver(): boolean {
    return this.over;
  }

  /**
   * What is in these bytes of the body, one behind the other in a buffer of its own; in several where parts are told.
   * @throws Error where they are no chunks
   */
  take(bytes: Uint8Array): Buffer[] {
    const taken = Buffer.allocUnsafe(this.held.length + bytes.length);
    taken.set(this.held);
    const parts: Buffer[] = [];
    let used = this.held.length;
    /** Where what is in no part yet begins, and where the chunk that is read does. */
    let rest = 0;
    let chunk = 0;
    let at = 0;
    while (at < bytes.length && !this.over) {
      if (this.part === 'data') {
        const end = Math.min(bytes.length, at + this.length);
        taken.set(bytes.subarray(at, end), used);
        used += end - at;
        this.length -= end - at;
        at = end;
        if (this.length > 0) continue;
        this.part = 'end of data';
        chunk = used;
        if (!this.tellsParts || taken[used - 1] === LINE_END) continue;
        parts.push(taken.subarray(rest, used));
        rest = used;
        continue;
      }
      this.takeByte(bytes[at] as number);
      at += 1;
    }
    const isHeld = this.tellsParts && used - chunk < MOST_HELD_BYTES;
    this.held = isHeld ? taken.subarray(chunk, used) : NOTHING;
    const end = isHeld ? chunk : used;
    if (end > rest) parts.push(taken.subarray(rest, end));
    return parts;
  }

  private takeByte(byte: number): void {
    switch (this.part) {
      case 'length':
        this.takeLength(byte);
        break;
      case 'extension':
        if (byte === LINE_END) this.beginData();
        break;
      case 'end of data':
        if (byte === LINE_END) Object.assign(this, { part: 'length', length: 0, digits: 0 });
        else if (byte !== CARRIAGE_RETURN) throw broken();
        break;
      case 'trailer':
        if (byte === LINE_END && this.trailer === 0) this.over = true;
        else if (byte === LINE_END) this.trailer = 0;
        else if (byte !== CARRIAGE_RETURN) this.trailer += 1;
        break;
      case 'data':
        break;
    }
  }

  private takeLength(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.length = this.length * 16 + digit;
      this.digits += 1;
      if (this.digits > MOST_DIGITS) throw broken();
    } else if (this.digits === 0) throw broken();
    else if (byte === LINE_END) this.beginData();
    else this.part = 'extension';
  }

  private beginData(): void {
    this.part = this.length === 0 ? 'trailer' : 'data';
  }
}

function broken(): Error {
  return new Error('what the engine sends are no chunks of an answer');
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
