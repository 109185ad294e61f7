/** Far above any object that etcd takes, which is one and a half million. */
const MAX_LINE = 8_000_000;

/** Cuts a watch into its lines, each one a document. One without an end is a fault and not a large object. */
export class WatchLines {
  private pieces: string[] = [];
  private length = 0;

  constructor(private readonly onLine: (line: string) => void) {}

  /** @throws Error where a line has no end */
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
    if (this.length > MAX_LINE) throw new Error('the watch sent a line without an end');
    this.pieces.push(text.slice(from));
  }
}
