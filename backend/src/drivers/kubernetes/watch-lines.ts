/** etcd limits objects to 1.5 MB. */
const MAX_LINE = 8_000_000;

/** Splits a watch into lines, each a JSON document of limited length. */
export class WatchLines {
  private pieces: string[] = [];
  private length = 0;

  constructor(private readonly onLine: (line: string) => void) {}

  /** @throws Error if a line is too long */
  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = this.pieces.join('') + text.slice(from, end);
      this.pieces = [];
      this.length = 0;
      from = end + 1;
      if (line !== '') this.onLine(line);
    }
    if (from === text.length) return;
    this.length += text.length - from;
    if (this.length > MAX_LINE) throw new Error('the watch sent a line that is too long');
    this.pieces.push(text.slice(from));
  }
}
