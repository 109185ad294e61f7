import { signal } from '@angular/core';
import { RegexSearch } from '../../shared/search/regex-search';

/** Texts that are tested at once. */
const MAX_AT_ONCE = 1000;
/** Verdicts in memory, more than there are lines. */
const MAX_KNOWN = 60_000;

/** Which texts match a regex: found in a worker with a deadline, because nothing else stops a slow regex. */
export class RegexVerdicts {
  private readonly known = new Map<string, boolean>();
  private readonly waiting = new Set<string>();
  private readonly changes = signal(0);
  private readonly failure = signal<'slow' | 'broken' | null>(null);
  private isTesting = false;
  private testing = Promise.resolve();

  /** Increases when texts were tested that were unknown before. */
  readonly version = this.changes.asReadonly();
  /** Why nothing is tested any more. */
  readonly problem = this.failure.asReadonly();

  constructor(private readonly search: Pick<RegexSearch, 'run' | 'close'>) {}

  /** Undefined until it is known. */
  of(text: string): boolean | undefined {
    const verdict = this.known.get(text);
    if (verdict === undefined) this.enqueue(text);
    return verdict;
  }

  /** Resolves when no text is waiting. */
  async settled(): Promise<void> {
    await this.testing;
  }

  close(): void {
    this.waiting.clear();
    this.search.close();
  }

  private enqueue(text: string): void {
    if (this.failure() !== null) return;
    this.waiting.add(text);
    if (this.isTesting) return;
    this.isTesting = true;
    // All lines of a log are waiting by then.
    this.testing = Promise.resolve().then(() => this.testAll());
  }

  private async testAll(): Promise<void> {
    while (this.waiting.size > 0 && this.failure() === null) {
      const texts = [...this.waiting].slice(-MAX_AT_ONCE);
      const result = await this.search.run(texts);
      if (this.known.size > MAX_KNOWN) this.known.clear();
      if (typeof result === 'string') this.failure.set(result);
      else texts.forEach((text, index) => this.known.set(text, (result[index]?.length ?? 0) > 0));
      texts.forEach((text) => this.waiting.delete(text));
      this.changes.update((count) => count + 1);
    }
    this.isTesting = false;
  }
}

/** The regexes of a query, each with a worker of its own. */
export class QueryRegexes {
  private readonly verdicts = new Map<string, RegexVerdicts>();

  constructor(private readonly matchCase: boolean) {}

  get isEmpty(): boolean {
    return this.verdicts.size === 0;
  }

  /** Makes the test of a regex. */
  compile(regex: string): (text: string) => boolean | undefined {
    let verdicts = this.verdicts.get(regex);
    if (!verdicts) {
      verdicts = new RegexVerdicts(new RegexSearch({ regex, matchCase: this.matchCase, isTest: true }));
      this.verdicts.set(regex, verdicts);
    }
    const known = verdicts;
    return (text) => known.of(text);
  }

  /** Changes with the verdicts of the regexes that were compiled. */
  version(): number {
    return [...this.verdicts.values()].reduce((sum, verdicts) => sum + verdicts.version(), 0);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.verdicts.values()].map((verdicts) => verdicts.settled()));
  }

  problem(): 'slow' | 'broken' | null {
    return [...this.verdicts.values()].map((verdicts) => verdicts.problem()).find(Boolean) ?? null;
  }

  close(): void {
    this.verdicts.forEach((verdicts) => verdicts.close());
  }
}
