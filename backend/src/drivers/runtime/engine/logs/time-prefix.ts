const DIGITS_FROM = 48;
/** `2026-11-22T13:35:05` */
const SECONDS = 19;
/** With nanoseconds and an offset, `2026-11-22T13:35:05.123456789+01:00 `. */
export const LONGEST_PREFIX = 36;

/**
 * Parses the time before each line of a log of Docker, Podman or Kubernetes: RFC 3339 and a space. Caches the second, so
 * that it creates no string or date per line: there can be ten thousands of lines per second.
 */
export class TimePrefix {
  /** Microseconds since the epoch of the last time. */
  time = 0;
  /** Nanoseconds beyond it, 0 to 999. */
  nanos = 0;
  private readonly known = Buffer.alloc(SECONDS);
  private knownSecond = Number.NaN;

  /** Parses the time at `at`. @returns its length including the space; 0 if there is no time. Sets `time` and `nanos`. */
  read(bytes: Buffer, at: number, end: number): number {
    if (end - at <= SECONDS || !this.readSecond(bytes, at)) return 0;
    let next = at + SECONDS;
    let fraction = 0;
    if (bytes[next] === 0x2e /* . */) {
      let scale = 100_000_000;
      for (next += 1; next < end; next += 1) {
        const digit = (bytes[next] as number) - DIGITS_FROM;
        if (digit < 0 || digit > 9) break;
        fraction += digit * scale;
        scale = scale === 1 ? 0 : scale / 10;
      }
    }
    let offsetMinutes = 0;
    const zone = bytes[next];
    if (zone === 0x5a /* Z */) next += 1;
    else if (zone === 0x2b /* + */ || zone === 0x2d /* - */) {
      if (next + 6 > end || bytes[next + 3] !== 0x3a /* : */) return 0;
      const minutes = twoDigits(bytes, next + 1) * 60 + twoDigits(bytes, next + 4);
      if (Number.isNaN(minutes)) return 0;
      offsetMinutes = zone === 0x2b ? minutes : -minutes;
      next += 6;
    } else return 0;
    if (next >= end || bytes[next] !== 0x20) return 0;
    this.nanos = fraction % 1000;
    this.time = (this.knownSecond - offsetMinutes * 60) * 1e6 + (fraction - this.nanos) / 1000;
    return next + 1 - at;
  }

  private readSecond(bytes: Buffer, at: number): boolean {
    let same = SECONDS - 1;
    // Backwards, since times of consecutive lines differ at the end.
    while (same >= 0 && bytes[at + same] === this.known[same]) same -= 1;
    if (same < 0) return !Number.isNaN(this.knownSecond);
    const text = bytes.toString('latin1', at, at + SECONDS);
    const second = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) / 1000 : Number.NaN;
    if (Number.isNaN(second)) return false;
    bytes.copy(this.known, 0, at, at + SECONDS);
    this.knownSecond = second;
    return true;
  }
}

/** Whether the bytes may be the first part of a time with its space. */
export function isBeginningOfTime(bytes: Buffer): boolean {
  if (bytes.length >= LONGEST_PREFIX) return false;
  const text = bytes.toString('latin1');
  const whole = text + '0000-00-00T00:00:00'.slice(text.length);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*)?(?:Z|[+-][\d:]*)?$/.test(whole);
}

function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - DIGITS_FROM;
  const ones = (bytes[at + 1] as number) - DIGITS_FROM;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
