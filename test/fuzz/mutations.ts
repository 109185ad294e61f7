/** Replacements of each value of a response, as JSON. `1e400` is valid JSON and no number of JavaScript. */
const HOSTILE: Readonly<Record<string, string>> = {
  'an object without primitives': '{"toString":1,"valueOf":1}',
  'an empty list': '[]',
  null: 'null',
  'an endless number': '1e400',
  'a prototype as value': '"__proto__"',
  'a prototype as key': '{"__proto__":{"polluted":1,"toString":1}}',
};
const LONG = JSON.stringify('x'.repeat(2 ** 20));
const MAX_LONG = 100;

export interface Mutation {
  what: string;
  text: string;
}

type Path = (string | number)[];

/**
 * The same answer again and again, each with one value replaced: every distinct path once, where all items of a list count
 * as one, and a text of 1 MB at 100 paths.
 */
export function* mutationsOf(answer: unknown): Generator<Mutation> {
  const paths = distinctPaths(answer);
  const step = Math.max(1, Math.ceil(paths.length / MAX_LONG));
  for (const [index, path] of paths.entries()) {
    const { before, after } = around(answer, path);
    for (const [what, value] of Object.entries(HOSTILE)) {
      yield { what: `${path.join('.') || 'the answer'}: ${what}`, text: before + value + after };
    }
    if (index % step === 0) {
      yield { what: `${path.join('.') || 'the answer'}: a text of 1 MB`, text: before + LONG + after };
    }
  }
}

function distinctPaths(answer: unknown): Path[] {
  const found = new Map<string, Path>();
  const visit = (value: unknown, path: Path): void => {
    const folded = path.map((part) => (typeof part === 'number' ? '*' : part)).join('\n');
    if (!found.has(folded)) found.set(folded, path);
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    }
  };
  visit(answer, []);
  return [...found.values()];
}

const PLACE = '\uE000place\uE000';

/** The JSON before and after the value at a path. */
function around(answer: unknown, path: Path): { before: string; after: string } {
  const put = (value: unknown, [first, ...rest]: Path): unknown => {
    if (first === undefined) return PLACE;
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => (index === first ? put(item, rest) : item));
    }
    return { ...(value as object), [first]: put((value as Record<string, unknown>)[first], rest) };
  };
  const [before = '', after = ''] = JSON.stringify(put(answer, path)).split(JSON.stringify(PLACE));
  return { before, after };
}

/**
 * Whether a typed result has only what its types promise: the replaced value is not in it, no number is endless,
 * no text is long, and no prototype has changed.
 */
export function violationIn(result: unknown, path = ''): string | undefined {
  if (typeof result === 'number' && Math.abs(result) === Infinity) return `${path} is endless`;
  if (typeof result === 'string' && result.length > 100_000) return `${path} has ${result.length} characters`;
  if (typeof result !== 'object' || result === null) return undefined;
  if ('polluted' in result) return `${path} has another prototype`;
  if (Object.hasOwn(result, 'valueOf')) return `${path} contains the replaced value`;
  for (const [key, value] of Object.entries(result)) {
    const violation = violationIn(value, `${path}.${key}`);
    if (violation !== undefined) return violation;
  }
  return undefined;
}
