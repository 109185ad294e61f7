/** Most characters that are held of long lines together; the log board has all of them. */
export const MOST_CHARACTERS = 8_000_000;

export interface FullText {
  text: string;
  /** Bytes that nobody kept. */
  cut: number;
}

/** Lines that are longer than what their rows hold, by number: as many of the newest as there is room for. */
export class LongLines {
  private readonly texts = new Map<number, FullText>();
  private characters = 0;

  add(seq: number, whole: FullText): void {
    this.texts.set(seq, whole);
    this.characters += whole.text.length;
    for (const [oldest, { text }] of this.texts) {
      if (this.characters <= MOST_CHARACTERS) return;
      this.texts.delete(oldest);
      this.characters -= text.length;
    }
  }

  get(seq: number): FullText | undefined {
    return this.texts.get(seq);
  }
}
