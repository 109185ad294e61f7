/** Limit for all long lines together. The log board keeps all of them. */
export const MAX_CHARACTERS = 8_000_000;

export interface FullText {
  text: string;
  /** Bytes that the server cut off. */
  cut: number;
}

/** Full texts of lines that are too long for their rows, by line number. Drops the oldest beyond the limit. */
export class LongLines {
  private readonly texts = new Map<number, FullText>();
  private characters = 0;

  add(seq: number, whole: FullText): void {
    this.texts.set(seq, whole);
    this.characters += whole.text.length;
    for (const [oldest, { text }] of this.texts) {
      if (this.characters <= MAX_CHARACTERS) return;
      this.texts.delete(oldest);
      this.characters -= text.length;
    }
  }

  get(seq: number): FullText | undefined {
    return this.texts.get(seq);
  }
}
