/** Collects text up to a size: the beginning and the end are kept, the middle is dropped and marked. */
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
    // Cutting only at twice the size keeps the cost of many small pieces linear.
    if (this.tail.length > this.limit) {
      const excess = this.tail.length - half;
      this.tail = this.tail.slice(excess);
      this.dropped += excess;
    }
  }

  get truncated(): boolean {
    return this.dropped > 0;
  }

  toString(): string {
    if (!this.truncated) return this.head + this.tail;
    return `${this.head}\n[${this.dropped} characters left out]\n${this.tail}`;
  }
}
