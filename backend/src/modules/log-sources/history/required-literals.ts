/**
 * Texts of which every match of a regular expression holds at least one: what can be looked for quickly before the
 * expression itself is tried. Null where none is sure, or all are too short to tell anything.
 *
 * `timeout|refused` needs one of two, `status=5[0-9]{2}` needs `status=5`. What is not understood requires nothing.
 */
export function requiredLiterals(pattern: string): string[] | null {
  const reader = new PatternReader(pattern);
  const found = reader.alternatives();
  // Half of a pair of surrogates is nothing that could be looked for.
  const isUsable = reader.isWhole && found?.every((text) => text.length >= LEAST && text.isWellFormed());
  return isUsable ? found : null;
}

const LEAST = 2;
const MOST_ALTERNATIVES = 32;

const PLAIN = '[\\w =:;,<>@#%&~"\'`/!-]';
/** Parts that match within a line alone, and whose letters are of ASCII. */
const BOUND_PART = [
  PLAIN,
  String.raw`\\[.^$*+?()[\]{}|/\\dwS-]`,
  String.raw`\.`,
  String.raw`\[(?:[\w =:;,<>@#%&~"'` + '`' + String.raw`.*+?()|/!-]|\\[dw.[\]\\-])+\]`,
  String.raw`\((?:\?:|(?!\?))|\)|\|`,
  String.raw`[*+?]\??|\{\d+(?:,\d*)?\}\??`,
].join('|');
const BOUND = new RegExp(`^(?:${BOUND_PART})+$`);
const BEGINS_PLAIN = new RegExp(`^${PLAIN}{2}(?![*?{])`);

/**
 * Whether an expression can be tried on a text of many lines of ASCII, and finds what it would find in each of them:
 * nothing in it matches a line feed, or the begin or end of a line. Each alternative begins with two letters, so that
 * there are few places to try it at.
 */
export function isLineBound(pattern: string): boolean {
  return BOUND.test(pattern) && pattern.split('|').every((alternative) => BEGINS_PLAIN.test(alternative));
}

class PatternReader {
  private at = 0;

  constructor(private readonly pattern: string) {}

  get isWhole(): boolean {
    return this.at === this.pattern.length;
  }

  /** Up to the end or a closing bracket. */
  alternatives(): string[] | null {
    let all: string[] | null = [];
    do {
      const one = this.sequence();
      all = all && one ? [...all, ...one] : null;
    } while (this.take('|'));
    return all && all.length <= MOST_ALTERNATIVES ? all : null;
  }

  private sequence(): string[] | null {
    let best: string[] | null = null;
    let run = '';
    const consider = (found: string[] | null): void => {
      if (found && (!best || worth(found) > worth(best))) best = found;
    };
    const endRun = (): void => {
      if (run !== '') consider([run]);
      run = '';
    };
    while (!this.isWhole && this.next !== '|' && this.next !== ')') {
      const part = this.part();
      const times = this.quantifier();
      if (typeof part === 'string' && part !== '') {
        if (times === 'once') {
          run += part;
          continue;
        }
        if (times === 'more') run += part;
        endRun();
      } else {
        // An assertion has no width: what stands on both sides of it follows each other, but need not be known.
        endRun();
        if (part !== '' && times !== 'maybe') consider(part);
      }
    }
    endRun();
    return best;
  }

  /** A text that is surely there, texts of which one is, or null for anything else. */
  private part(): string | string[] | null {
    const char = this.pattern[this.at] ?? '';
    this.at += 1;
    switch (char) {
      case '\\':
        return this.escape();
      case '[':
        return this.characterClass();
      case '(':
        return this.group();
      case '.':
      case '^':
      case '$':
        return null;
      default:
        return char;
    }
  }

  private escape(): string | null {
    const char = this.pattern[this.at] ?? '';
    this.at += 1;
    // Letters and digits stand for classes, references and codes.
    if (!/[A-Za-z0-9]/.test(char)) return char;
    const rest = /^(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|\d+)/.exec(
      this.pattern.slice(this.at - 1),
    );
    if (rest) this.at += rest[0].length - 1;
    return null;
  }

  private characterClass(): null {
    while (!this.isWhole && this.next !== ']') this.at += this.next === '\\' ? 2 : 1;
    this.at = Math.min(this.at + 1, this.pattern.length);
    return null;
  }

  private group(): string[] | null {
    const kind = /^\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:)/.exec(this.pattern.slice(this.at))?.[0] ?? '';
    this.at += kind.length;
    const found = this.alternatives();
    this.take(')');
    // What looks around tells nothing of the match, or what must not be there. Flags within may change case.
    return kind === '' || kind === '?:' || /^\?<[^=!]/.test(kind) ? found : null;
  }

  private quantifier(): 'once' | 'more' | 'maybe' {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.pattern.slice(this.at));
    if (!found) return 'once';
    this.at += found[0].length;
    if (found[0].startsWith('+')) return 'more';
    return Number(found[1] ?? 0) > 0 ? 'more' : 'maybe';
  }

  private get next(): string {
    return this.pattern[this.at] ?? '';
  }

  private take(char: string): boolean {
    if (this.next !== char) return false;
    this.at += 1;
    return true;
  }
}

/** The shortest decides how much is found that is no match. */
function worth(literals: readonly string[]): number {
  return Math.min(...literals.map(({ length }) => length));
}
