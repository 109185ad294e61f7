import { DomainError, guarded } from '../../core/errors/index.js';
import { regexProcess, type MatchTexts, type Regex } from './match-texts.js';

/** Limits of the backlog per rule. Lines beyond them are skipped. */
const MAX_LINES = 20_000;
const MAX_CHARACTERS = 8_000_000;
/** Small batches, so that rules take turns. */
const BATCH_LINES = 100;
/** Characters of a line that a regex sees: even a harmless one may take quadratic time. */
const MAX_TEXT_LENGTH = 8192;

export interface RegexRule<TLine> {
  readonly regex: Regex;
  onMatches: (lines: TLine[]) => void;
  /** Lines were skipped without being matched. */
  onSkipped: (count: number) => void;
  /** The regex took too long. The rule's backlog is dropped. */
  onTimeout: () => void;
}

interface Backlog<TLine> {
  lines: TLine[];
  texts: string[];
  characters: number;
}

/** Matches lines in a process, one batch per rule in turn, so that a busy rule does not delay the others. */
export class RegexQueue<TLine> {
  private readonly backlogs = new Map<RegexRule<TLine>, Backlog<TLine>>();
  private running = false;

  constructor(private readonly match: MatchTexts = regexProcess()) {}

  add(rule: RegexRule<TLine>, line: TLine, text: string): void {
    let backlog = this.backlogs.get(rule);
    if (!backlog) {
      backlog = { lines: [], texts: [], characters: 0 };
      this.backlogs.set(rule, backlog);
    }
    const seen = text.slice(0, MAX_TEXT_LENGTH);
    if (backlog.lines.length >= MAX_LINES || backlog.characters + seen.length > MAX_CHARACTERS) {
      rule.onSkipped(1);
      return;
    }
    backlog.lines.push(line);
    backlog.texts.push(seen);
    backlog.characters += seen.length;
    if (this.running) return;
    this.running = true;
    // After the lines that arrive together with this one.
    const run = guarded(
      () => this.run(),
      () => (this.running = false),
    );
    setImmediate(run);
  }

  remove(rule: RegexRule<TLine>): void {
    this.backlogs.delete(rule);
  }

  private async run(): Promise<void> {
    for (let next = this.takeFirst(); next; next = this.takeFirst()) {
      const [rule, backlog] = next;
      const lines = backlog.lines.splice(0, BATCH_LINES);
      const texts = backlog.texts.splice(0, BATCH_LINES);
      backlog.characters -= texts.reduce((sum, text) => sum + text.length, 0);
      if (backlog.lines.length > 0) this.backlogs.set(rule, backlog);
      try {
        const matches = await this.matchTwice(rule.regex, texts);
        if (matches.length > 0) rule.onMatches(matches.flatMap((index) => lines[index] ?? []));
      } catch (error) {
        rule.onSkipped(lines.length);
        if (!(error instanceof DomainError)) continue;
        rule.onSkipped(backlog.lines.length);
        this.backlogs.delete(rule);
        rule.onTimeout();
      }
    }
    this.running = false;
  }

  private takeFirst(): [RegexRule<TLine>, Backlog<TLine>] | undefined {
    const first = this.backlogs.entries().next().value;
    if (first) this.backlogs.delete(first[0]);
    return first;
  }

  /** The process may have ended, and on a busy machine even a harmless regex can exceed the deadline. */
  private async matchTwice(regex: Regex, texts: readonly string[]): Promise<number[]> {
    try {
      return await this.match(regex, texts);
    } catch {
      return await this.match(regex, texts);
    }
  }
}
