import { MAX_LINE } from '../../core/logging/index.js';

/**
 * Splits a stream of text into lines. Longer lines are truncated, so that a stream without newlines needs little memory. A carriage return also ends a line: programs redraw progress with it.
 */
export class LineSplitter {
  private rest = '';
  private overlong = false;
  private endedByReturn = false;

  constructor(private readonly onLine: (line: string) => void) {}

  push(chunk: string): void {
    if (chunk === '') return;
    // "\r\n" may be split between two chunks.
    const text = this.endedByReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    this.endedByReturn = chunk.endsWith('\r');
    const lines = (this.rest + text).split(/\r\n|\n|\r/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.emit(line);
    if (this.rest.length > MAX_LINE) {
      if (!this.overlong) this.onLine(this.rest.slice(0, MAX_LINE));
      this.overlong = true;
      this.rest = '';
    }
  }

  end(): void {
    if (this.rest !== '') this.emit(this.rest);
    this.rest = '';
  }

  private emit(line: string): void {
    // The start of an overlong line has already been emitted; this is its end.
    if (!this.overlong) this.onLine(line.slice(0, MAX_LINE));
    this.overlong = false;
  }
}
