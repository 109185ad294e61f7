/** Longest line that is handed on whole; what follows is cut, so that a stream without newlines stays bounded. */
const MAX_LINE = 16_384;

/** Cuts a stream of text into lines. A carriage return ends a line too: programs redraw progress with it. */
export class LineSplitter {
  private rest = '';
  private overlong = false;
  private endedByReturn = false;

  constructor(private readonly onLine: (line: string) => void) {}

  push(piece: string): void {
    if (piece === '') return;
    // The second half of a line end that was cut in two.
    const text = this.endedByReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.endedByReturn = piece.endsWith('\r');
    const pieces = (this.rest + text).split(/\r\n|\n|\r/);
    this.rest = pieces.pop() ?? '';
    for (const line of pieces) this.emit(line);
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
    // The beginning of an overlong line was handed on already; this is its end.
    if (!this.overlong) this.onLine(line.slice(0, MAX_LINE));
    this.overlong = false;
  }
}
