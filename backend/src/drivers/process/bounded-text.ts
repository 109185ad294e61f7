/** Collects text up to a size. Drops the middle of a longer text and leaves a mark there. */
export class BoundedText {
  private head = '';
  private tail = '';
  private dropped = 0;

  constructor(private readonly limit: number) {}

  append(text: string): void {
    const half = this.limit / 2;
    const room = Math.max(0, half - this.head.length);
    this.head += text.slice(0, room);
    this.tail += text.slice(room);
    // Trimming only at twice the size keeps the cost of many small chunks linear.
    if (this.tail.length > this.limit) {
      const excess = this.tail.length - half;
      this.tail = this.tail.slice(excess);
      this.dropped += excess;
    }
  }

  toString(): string {
    if (this.dropped === 0) return this.head + this.tail;
    return `${this.head}\n[${this.dropped} characters omitted]\n${this.tail}`;
  }
}
