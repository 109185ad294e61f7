import { PatternRefused, PatternStopped, PatternThread } from './pattern-thread.js';
import type { Pattern } from './line-match.js';

/** Lines that one rule may have waiting, and characters of them; what is beyond is not looked at. */
const MOST_LINES = 20_000;
const MOST_CHARACTERS = 8_000_000;
/** At once, so that nobody waits long for another's. */
const BATCH_LINES = 500;
const BATCH_CHARACTERS = 500_000;
/** A sound expression needs a few milliseconds for a batch. */
const LIMIT_MS = 2000;
/** An expression looks at so much of a line: even a harmless one may take a time that grows with the square. */
export const LOOKED_AT = 8192;

/** Whose lines wait, and what it is told. */
export interface PatternReader<TLine> {
  readonly pattern: Pattern;
  matched: (lines: TLine[]) => void;
  /** So many lines were not looked at. */
  missed: (count: number) => void;
  /** Its expression did not come back, or is none. Its lines are dropped, and it is heard of no more. */
  stopped: (reason: string) => void;
}

interface Waiting<TLine> {
  lines: TLine[];
  texts: string[];
  characters: number;
}

/**
 * Hands lines to the thread that runs regular expressions, a bounded batch of one reader after the other, so that none
 * waits for another's crowd. One whose expression does not come back is told so, and its lines are dropped.
 */
export class PatternQueue<TLine> {
  private readonly waiting = new Map<PatternReader<TLine>, Waiting<TLine>>();
  private readonly thread: PatternThread;
  private readonly limitMs: number;
  private working = false;
  private ended = false;

  constructor({ thread = new PatternThread(), limitMs = LIMIT_MS } = {}) {
    this.thread = thread;
    this.limitMs = limitMs;
  }

  /** Has a line looked at as soon as its turn comes, unless too many wait already. */
  add(reader: PatternReader<TLine>, line: TLine, text: string): void {
    let own = this.waiting.get(reader);
    if (!own) {
      own = { lines: [], texts: [], characters: 0 };
      this.waiting.set(reader, own);
    }
    const looked = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
    if (own.lines.length >= MOST_LINES || own.characters + looked.length > MOST_CHARACTERS) {
      reader.missed(1);
      return;
    }
    own.lines.push(line);
    own.texts.push(looked);
    own.characters += looked.length;
    if (!this.working) {
      this.working = true;
      // After the lines that come with this one.
      setImmediate(() => void this.work());
    }
  }

  /** Drops what waits of a reader that is no more. */
  remove(reader: PatternReader<TLine>): void {
    this.waiting.delete(reader);
  }

  async end(): Promise<void> {
    this.ended = true;
    this.waiting.clear();
    await this.thread.end();
  }

  private async work(): Promise<void> {
    for (;;) {
      const next = this.waiting.entries().next().value;
      if (!next) break;
      const [reader, own] = next;
      // Behind the others, where more of it waits.
      this.waiting.delete(reader);
      const { lines, texts } = takeBatch(own);
      if (own.lines.length > 0) this.waiting.set(reader, own);
      try {
        const places = await this.thread.match(reader.pattern, texts, this.limitMs);
        if (places.length > 0) reader.matched(places.flatMap((place) => lines[place] ?? []));
      } catch (error) {
        if (this.ended) break;
        if (error instanceof PatternStopped || error instanceof PatternRefused) {
          this.waiting.delete(reader);
          reader.missed(lines.length + own.lines.length);
          reader.stopped(error.message);
        } else {
          // No thread is to be had. It is tried again with the next lines.
          reader.missed(lines.length);
        }
      }
    }
    this.working = false;
  }
}

function takeBatch<TLine>(own: Waiting<TLine>): Pick<Waiting<TLine>, 'lines' | 'texts'> {
  let count = 0;
  let characters = 0;
  while (count < own.lines.length && count < BATCH_LINES && (count === 0 || characters < BATCH_CHARACTERS)) {
    characters += own.texts[count]?.length ?? 0;
    count += 1;
  }
  own.characters -= characters;
  return { lines: own.lines.splice(0, count), texts: own.texts.splice(0, count) };
}
