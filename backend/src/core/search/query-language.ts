/** How a value is compared: `:` contains, `=` equals; the others compare numbers, durations and times. */
export type Operator = ':' | '=' | '!=' | '>' | '>=' | '<' | '<=';

/** Pieces of a text between wildcards; a text without wildcards has one. `['', '']` is any text. */
export type Pattern = readonly string[];

export interface TextNode {
  type: 'text';
  pattern: Pattern;
}

/** A regex as the user has written it. */
export interface RegexNode {
  type: 'regex';
  source: string;
}

/** A line that has no field of this name is searched for the text of the condition. */
export interface CompareNode {
  type: 'compare';
  name: string;
  operator: Operator;
  pattern: Pattern;
}

interface NotNode {
  type: 'not';
  part: QueryNode;
}

/** At least two parts, of which none has the same type. */
interface ListNode {
  type: 'and' | 'or';
  parts: readonly QueryNode[];
}

/** A condition on a line, as a query states it. */
export type QueryNode = TextNode | RegexNode | CompareNode | NotNode | ListNode;

/** Longer queries are rejected, so that every reader of one takes a bounded time. */
export const MAX_QUERY = 2000;
/** Deeper groups are text, and so are all behind this many brackets that nothing closes. */
const MAX_DEPTH = 20;

const NAME = /[A-Za-z_@][\w.@/-]*/y;
const OPERATOR = /!=|>=|<=|[:=><]/y;
/** The beginning of a number, which may have units, or of an RFC 3339 time. */
const COMPARABLE = /^[-+]?\d[\w.:%µ+-]{0,40}$/;

/**
 * Reads a query. Every text is one: what is no condition is searched for as it is written.
 *
 * - Conditions are separated by blanks, and all of them must hold; `a OR b` binds weaker; `(a OR b) c` groups.
 * - `-` negates a condition or a group; `"two words"` is a phrase; `*` is a wildcard; `/…/` is a regex.
 * - `name:value` contains, `name=value` equals, `!=`, `>`, `>=`, `<` and `<=` compare.
 *
 * @returns null for a query without conditions
 */
export function parseQuery(text: string): QueryNode | null {
  return new QueryReader(text).read();
}

/** The end of a query that is still typed, for completion. */
export interface OpenCondition {
  /** Where its name begins; behind a minus and brackets. */
  begin: number;
  /** Undefined while a name, or a text, is typed. */
  compared: Pick<CompareNode, 'name' | 'operator'> | undefined;
  /** The beginning of the name or of the value. */
  typed: string;
}

/** The condition that typing would go on with, or a new one behind a blank; null behind a closed phrase, regex or group. */
export function openCondition(text: string): OpenCondition | null {
  const reader = new QueryReader(text);
  reader.read();
  return reader.open();
}

class QueryReader {
  private at = 0;
  private depth = 0;
  /** Where the last condition begins. */
  private last = 0;
  /** Brackets that nothing closes. Each is tried once, or nested ones would take exponential time. */
  private readonly unclosed = new Set<number>();

  constructor(private readonly text: string) {}

  /** `a b OR c d`, up to the end or the bracket that closes the group. */
  read(): QueryNode | null {
    const alternatives: (QueryNode | null)[] = [];
    let parts: QueryNode[] = [];
    while (this.nextCondition()) {
      const word = this.wordAhead();
      const isBetween = parts.length > 0 && this.hasOperand(this.at + word.length);
      if (word === 'OR' && isBetween) {
        this.at += word.length;
        alternatives.push(listOf('and', parts));
        parts = [];
      } else if (word === 'AND' && isBetween) {
        this.at += word.length;
      } else {
        parts.push(this.condition());
      }
    }
    alternatives.push(listOf('and', parts));
    const found = alternatives.filter((part) => part !== null);
    return listOf('or', found);
  }

  open(): OpenCondition | null {
    if (this.endsToken(this.text.length - 1)) {
      return { begin: this.text.length, compared: undefined, typed: '' };
    }
    let begin = this.last;
    while (/[-(]/.test(this.text.charAt(begin))) begin += 1;
    this.at = begin;
    const name = this.quoted() ?? this.match(NAME) ?? '';
    const operator = this.match(OPERATOR) as Operator | undefined;
    const typed = this.text.slice(operator ? this.at : begin).replace(/^"/, '');
    if (/["/)]$/.test(typed)) return null;
    return { begin, compared: operator && name !== '' ? { name, operator } : undefined, typed };
  }

  private condition(): QueryNode {
    const isNegated = this.text.charAt(this.at) === '-' && this.text.charAt(this.at + 1) !== '-';
    if (!isNegated || this.endsToken(this.at + 1)) return this.positive();
    this.at += 1;
    return { type: 'not', part: this.positive() };
  }

  private positive(): QueryNode {
    const begin = this.at;
    const node = this.group() ?? this.regex() ?? this.comparison() ?? this.phrase() ?? this.plain();
    this.last = begin;
    return node;
  }

  /** Undefined if no bracket closes it, or nothing is in it. */
  private group(): QueryNode | undefined {
    const begin = this.at;
    if (this.text.charAt(begin) !== '(' || this.depth === MAX_DEPTH || !this.mayClose(begin)) {
      return undefined;
    }
    this.at += 1;
    this.depth += 1;
    const part = this.read();
    const isClosed = this.closes();
    this.depth -= 1;
    if (part && isClosed) {
      this.at += 1;
      if (this.endsToken(this.at)) return part;
    }
    this.unclosed.add(begin);
    this.at = begin;
    return undefined;
  }

  private mayClose(at: number): boolean {
    return this.unclosed.size < MAX_DEPTH && !this.unclosed.has(at) && this.text.includes(')', at);
  }

  /** From a slash to the first one that ends a token. Only a regex without further slashes may have blanks. */
  private regex(): QueryNode | undefined {
    if (this.text.charAt(this.at) !== '/') return undefined;
    let hasBlank = false;
    let hasSlash = false;
    for (let end = this.at + 1; end < this.text.length; end += 1) {
      const character = this.text.charAt(end);
      if (character === '\\') {
        end += 1;
      } else if (character === '/') {
        if (end > this.at + 1 && this.endsToken(end + 1)) {
          const source = this.text.slice(this.at + 1, end);
          this.at = end + 1;
          return { type: 'regex', source };
        }
        hasSlash = true;
      }
      hasBlank ||= /\s/.test(character);
      if (hasBlank && hasSlash) return undefined;
    }
    return undefined;
  }

  private comparison(): QueryNode | undefined {
    const begin = this.at;
    const name = this.quoted() ?? this.match(NAME);
    const operator = name === undefined ? undefined : (this.match(OPERATOR) as Operator | undefined);
    if (name !== undefined && name !== '' && operator !== undefined) {
      const quoted = this.quotedPattern();
      const value = quoted ? quoted.join('*') : this.token();
      // Addresses, namespaces of languages, and comparisons in code are text.
      const isText = !quoted && (value === '' || /^(?:=|:|\/\/)/.test(value));
      const isAny = !/[<>]/.test(operator) || COMPARABLE.test(value) || name.toLowerCase() === 'level';
      if (!isText && isAny) {
        return {
          type: 'compare',
          name,
          operator,
          pattern: valuePattern(operator, quoted ?? value.split('*')),
        };
      }
    }
    this.at = begin;
    return undefined;
  }

  private phrase(): QueryNode | undefined {
    const begin = this.at;
    const pattern = trimmed(this.quotedPattern() ?? []);
    if (pattern.length > 0) return { type: 'text', pattern };
    this.at = begin;
    return undefined;
  }

  private plain(): QueryNode {
    const token = this.token() || this.text.charAt(this.at++);
    const pattern = trimmed(token.split('*'));
    return { type: 'text', pattern: pattern.length === 0 ? [token] : pattern };
  }

  /** A text in double quotes, in which a backslash escapes a quote or a backslash; undefined without one. */
  private quoted(): string | undefined {
    const quoted = this.match(/"(?:[^"\\]|\\[^])*"/y);
    return quoted?.slice(1, -1).replace(/\\(["\\])/g, '$1');
  }

  /** Texts in quotes with wildcards between them, up to the end of the token. */
  private quotedPattern(): Pattern | undefined {
    const begin = this.at;
    const pattern = [''];
    let texts = 0;
    for (let text: string | undefined = ''; text !== undefined;) {
      for (; this.text.charAt(this.at) === '*'; this.at += 1) pattern.push('');
      text = texts < pattern.length ? this.quoted() : undefined;
      if (text !== undefined) pattern[pattern.length - 1] = text;
      if (text !== undefined) texts = pattern.length;
      if (this.text.charAt(this.at) !== '*') break;
    }
    if (texts > 0 && this.endsToken(this.at)) return pattern;
    this.at = begin;
    return undefined;
  }

  /** Up to a blank, or the bracket that closes the group around it. */
  private token(): string {
    let open = 0;
    let end = this.at;
    for (; end < this.text.length && !/\s/.test(this.text.charAt(end)); end += 1) {
      const character = this.text.charAt(end);
      if (character === '(') open += 1;
      else if (character === ')' && open === 0 && this.depth > 0) break;
      else if (character === ')' && open > 0) open -= 1;
    }
    const token = this.text.slice(this.at, end);
    this.at = end;
    return token;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private wordAhead(): string {
    return /^\S*/.exec(this.text.slice(this.at, this.at + 4))?.[0] ?? '';
  }

  private hasOperand(from: number): boolean {
    const rest = this.text.slice(from).trimStart();
    return rest !== '' && !(this.depth > 0 && rest.startsWith(')'));
  }

  private closes(): boolean {
    return this.depth > 0 && this.text.charAt(this.at) === ')';
  }

  private endsToken(at: number): boolean {
    return (
      at >= this.text.length ||
      /\s/.test(this.text.charAt(at)) ||
      (this.depth > 0 && this.text.charAt(at) === ')')
    );
  }

  /** Whether another condition follows in this group; the blanks before it are skipped. */
  private nextCondition(): boolean {
    while (this.at < this.text.length && /\s/.test(this.text.charAt(this.at))) this.at += 1;
    return this.at < this.text.length && !this.closes();
  }
}

/** Of `name:*`, every line that has the field; otherwise wildcards at the ends of a contained text mean nothing. */
function valuePattern(operator: Operator, pattern: Pattern): Pattern {
  if (/[<>]/.test(operator)) return [pattern.join('*')];
  if (pattern.length === 1) return pattern;
  if (pattern.every((piece) => piece === '')) return ['', ''];
  return operator === ':' ? trimmed(pattern) : pattern;
}

function trimmed(pattern: Pattern): Pattern {
  const first = pattern.findIndex((piece) => piece !== '');
  const pieces = first < 0 ? [] : pattern.slice(first, pattern.findLastIndex((piece) => piece !== '') + 1);
  return pieces.filter((piece) => piece !== '');
}

/** Null without parts, and the part itself if there is one. Lists of the same type become one. */
function listOf(type: ListNode['type'], parts: readonly QueryNode[]): QueryNode | null {
  const [first] = parts;
  if (parts.length < 2) return first ?? null;
  return { type, parts: parts.flatMap((part) => (part.type === type ? part.parts : [part])) };
}

/** The shortest query that is read as this condition. */
export function printQuery(node: QueryNode | null): string {
  return node === null ? '' : print(node);
}

function print(node: QueryNode): string {
  switch (node.type) {
    case 'and':
      return node.parts.map((part) => (part.type === 'or' ? `(${print(part)})` : print(part))).join(' ');
    case 'or':
      return node.parts.map(print).join(' OR ');
    case 'not':
      return `-${node.part.type === 'and' || node.part.type === 'or' || node.part.type === 'not' ? `(${print(node.part)})` : print(node.part)}`;
    case 'regex':
      return `/${node.source}/`;
    case 'text':
      return printText(node);
    case 'compare':
      return printCompare(node);
  }
}

function printText(node: TextNode): string {
  const plain = node.pattern.join('*');
  // Text behind it could end the regex or the phrase that it seems to begin.
  const beginsAnother = /^\*?"|^\/(?:[^/\\]|\\[^])*$/.test(plain);
  return !beginsAnother && isReadAs(plain, node) ? plain : quoted(node.pattern);
}

function printCompare({ name, operator, pattern }: CompareNode): string {
  const node: CompareNode = { type: 'compare', name, operator, pattern };
  const plain = pattern.join('*');
  const values = /^\**"/.test(plain) ? [quoted(pattern)] : [plain, quoted(pattern)];
  const texts = [name, quoted([name])].flatMap((before) =>
    values.map((value) => `${before}${operator}${value}`),
  );
  return texts.find((text) => isReadAs(text, node)) ?? (texts.at(-1) as string);
}

/** Also as a part of a longer query: alone, negated, and in a group. */
function isReadAs(text: string, node: TextNode | CompareNode): boolean {
  if (/^(?:OR|AND)$/.test(text)) return false;
  const read = parseQuery(`(-${text})`);
  return read?.type === 'not' && isSame(read.part, node) && isSame(parseQuery(text), node);
}

function isSame(one: QueryNode | null, other: QueryNode): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function quoted(pattern: Pattern): string {
  const isAny = pattern.every((piece) => piece === '') && pattern.length > 1;
  const pieces = pattern.map((piece) =>
    piece === '' && pattern.length > 1 ? '' : `"${piece.replace(/["\\]/g, '\\$&')}"`,
  );
  return isAny ? '*' : pieces.join('*');
}
