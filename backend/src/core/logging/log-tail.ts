const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 4000;

/** The latest lines of a log, for the support bundle. Bounded in number and length. */
export class LogTail {
  private readonly lines: string[] = [];

  add(line: string): void {
    this.lines.push(line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…\n` : line);
    if (this.lines.length > MAX_LINES) this.lines.shift();
  }

  text(): string {
    return this.lines.join('');
  }
}
