const CARRIAGE_RETURN = 0x0d;
const LINE_END = 0x0a;
/** Digits of a length that is believed: 256 MB. */
const MOST_DIGITS = 7;

type Part = 'length' | 'extension' | 'data' | 'end of data' | 'trailer';

/** Takes a chunked body apart (RFC 9112, 7.1), wherever what is read of it was cut. */
export class ChunkedBody {
  private part: Part = 'length';
  private length = 0;
  private digits = 0;
  /** Characters of the line of the trailer that is read. */
  private trailer = 0;
  private over = false;

  /** Whether its end has come. */
  get isOver(): boolean {
    return this.over;
  }

  /**
   * What is in these bytes of the body, one behind the other in a buffer of its own.
   * @throws Error where they are no chunks
   */
  take(bytes: Uint8Array): Buffer {
    const taken = Buffer.allocUnsafe(bytes.length);
    let used = 0;
    let at = 0;
    while (at < bytes.length && !this.over) {
      if (this.part === 'data') {
        const end = Math.min(bytes.length, at + this.length);
        taken.set(bytes.subarray(at, end), used);
        used += end - at;
        this.length -= end - at;
        at = end;
        if (this.length === 0) this.part = 'end of data';
        continue;
      }
      this.takeByte(bytes[at] as number);
      at += 1;
    }
    return taken.subarray(0, used);
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
