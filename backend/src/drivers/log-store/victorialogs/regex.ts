import { createContext, Script } from 'node:vm';
import { DomainError } from '../../../core/errors/domain-error.js';
import { reasonOf } from '../../../core/errors/reason-of.js';

/** Features of JavaScript's regexes that RE2 lacks. */
const UNSUPPORTED: readonly [RegExp, string][] = [
  [/^\(\?=/, 'lookahead (?=…)'],
  [/^\(\?!/, 'negative lookahead (?!…)'],
  [/^\(\?<=/, 'lookbehind (?<=…)'],
  [/^\(\?<!/, 'negative lookbehind (?<!…)'],
  [/^\\[1-9]/, 'backreference \\1'],
  [/^\\k</, 'backreference \\k<name>'],
  [/^\\u/, 'escape \\u; write \\x{…}'],
  [/^\\c/, 'escape \\c'],
];

/**
 * Rejects what RE2 has not, with its name. The database rejects what else is wrong.
 * @throws DomainError `search_invalid`
 */
export function rejectUnsupported(pattern: string): void {
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at, at + 4);
    const found = UNSUPPORTED.find(([form]) => form.test(rest) && !(inClass && rest.startsWith('(')));
    if (found) throw invalidRegex(`VictoriaLogs uses RE2 regexes, which do not support: ${found[1]}`);
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') inClass = true;
    else if (pattern[at] === ']') inClass = false;
  }
}

export function invalidRegex(reason: string): DomainError {
  return new DomainError(
    'search_invalid',
    `The regex is invalid. ${reason}. Correct it, or search for plain text.`,
  );
}

/** The database's message about a rejected regex in a query; undefined if that is not the reason. */
export function regexProblemOf(message: string): string | undefined {
  const [, problem] = message.split('error parsing regexp: ', 2);
  return problem?.split(/; context: |\n/, 1)[0]?.slice(0, 200);
}

/** Longest time that a regex may take for the newest lines, in all, because it occupies the process. */
const BUDGET_MS = 500;

/** Tests the newest lines, which the database cannot search yet, with a regex of JavaScript. */
export class LocalRegex {
  /** Why JavaScript cannot run it; null if it can. */
  readonly problem: string | null = null;
  private readonly script: Script | undefined;
  private readonly context = createContext({
    texts: [] as string[],
    regex: undefined as RegExp | undefined,
  });
  private left = BUDGET_MS;

  constructor(pattern: string, matchCase: boolean) {
    try {
      // RE2 writes flags at the beginning, and named groups in two ways.
      const [, flags = '', body = ''] = /^(?:\(\?([is]+)\))?(.*)$/s.exec(pattern) ?? [];
      const caseFlag = matchCase || flags.includes('i') ? '' : 'i';
      const unicodeFlag = /\\p\{/iu.test(pattern) ? 'u' : '';
      // eslint-disable-next-line no-restricted-syntax -- It runs in a context with a deadline.
      this.context['regex'] = new RegExp(body.replaceAll('(?P<', '(?<'), flags + caseFlag + unicodeFlag);
      this.script = new Script('texts.map((text) => regex.test(text))');
    } catch (error) {
      // For a regex that is sent to the database, that has the last word on what is valid.
      this.problem = reasonOf(error).replace(/^Invalid regular expression: /, '');
    }
  }

  /** Whether each text matches. What JavaScript cannot decide, or not in time, does not match. */
  test(texts: readonly string[]): boolean[] {
    const none = texts.map(() => false);
    if (!this.script || this.left <= 0) return none;
    const began = performance.now();
    this.context['texts'] = texts;
    try {
      const found: unknown = this.script.runInContext(this.context, { timeout: Math.ceil(this.left) });
      return Array.isArray(found) ? found.map(Boolean) : none;
    } catch (error) {
      if (!/timed out/.test(reasonOf(error))) throw error;
      return none;
    } finally {
      this.left -= performance.now() - began;
      this.context['texts'] = [];
    }
  }

  /** Whether lines were left out because the regex took too long. */
  get isOverdue(): boolean {
    return this.left <= 0;
  }
}
