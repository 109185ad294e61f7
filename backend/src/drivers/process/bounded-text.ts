import { joinEnds } from '../../core/logging/index.js';

/** Collects text up to a size. Drops the middle of a longer text and leaves a mark there. */
export class BoundedText {
  private head = '';
  private tail = '';
  private length = 0;

  constructor(private readonly limit: number) {}

  append(text: string): void {
    const room = Math.max(0, this.limit - this.head.length);
    this.length += text.length;
    this.head += text.slice(0, room);
    this.tail += text.slice(room);
    // Trimming only at twice the size that is needed keeps the cost of many small chunks linear.
    if (this.tail.length > this.limit) this.tail = this.tail.slice(-this.limit / 2);
  }

  toString(): string {
    if (this.length <= this.limit) return this.head;
    return joinEnds(this.head, this.head + this.tail, this.limit, this.length, '\n');
  }
}
