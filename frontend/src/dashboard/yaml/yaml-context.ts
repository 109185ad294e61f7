/** The position of the cursor in a YAML text, derived from the indentation. */
export interface YamlContext {
  /** Keys from the root to the map at the cursor; `[]` for an item of a list. */
  path: string[];
  /** The key of the value at the cursor; undefined if a key is being typed. */
  key: string | undefined;
  /** Keys that the map contains. */
  present: Set<string>;
  /** Start column of the word at the cursor, from 0. */
  from: number;
}

interface Line {
  /** Columns of the dashes on this line. */
  dashes: number[];
  keyColumn: number;
  key: string | undefined;
}

const KEY = /^([\w./-]+|"[^"]*"|'[^']*')\s*:(?=\s|$)/;

/**
 * Reads lines instead of a document, because the text is often incomplete while the user types.
 * @param line from 0
 * @param column from 0
 * @returns undefined in comments, flow collections such as `{ a: b }` and block texts
 */
export function yamlContextAt(
  lines: readonly string[],
  line: number,
  column: number,
): YamlContext | undefined {
  const before = (lines[line] ?? '').slice(0, column);
  if (/[#{}[\]|>&*"']/.test(before.replace(KEY, ''))) return undefined;
  const own = readLine(before) ?? { dashes: [], keyColumn: before.length, key: undefined };
  const value = own.key === undefined ? undefined : /:\s+(\S*)$/.exec(before)?.[1];
  if (own.key !== undefined && value === undefined) return undefined;
  const word = value ?? before.slice(own.keyColumn);
  if (/\s/.test(word)) return undefined;
  const { path, present } = climb(lines, line, own);
  for (const key of keysBelow(lines, line, own.keyColumn)) present.add(key);
  return { path, key: own.key, present, from: column - word.length };
}

/** Walks up from a line to the root, by decreasing columns. */
function climb(lines: readonly string[], index: number, own: Line): { path: string[]; present: Set<string> } {
  const path: string[] = [];
  const present = new Set<string>();
  /** The current column; `ofList` while searching for the key of a list. */
  const place = { column: own.keyColumn, ofList: false };
  const enter = ({ dashes }: Line): void => {
    for (const dash of [...dashes].reverse()) {
      path.unshift('[]');
      place.column = dash;
      place.ofList = true;
    }
  };
  enter(own);
  let inOwnMap = own.dashes.length === 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const line = readLine(lines[at] ?? '');
    if (line?.key === undefined || line.keyColumn > place.column) continue;
    if (place.ofList && line.dashes.includes(place.column)) continue;
    if (!place.ofList && line.keyColumn === place.column) {
      if (inOwnMap) present.add(line.key);
      if (line.dashes.length > 0) inOwnMap = false;
      enter(line);
      continue;
    }
    path.unshift(line.key);
    place.column = line.keyColumn;
    place.ofList = false;
    inOwnMap = false;
    enter(line);
  }
  return { path, present };
}

/** Later keys of the same map. */
function keysBelow(lines: readonly string[], index: number, column: number): string[] {
  const keys: string[] = [];
  for (const text of lines.slice(index + 1)) {
    const line = readLine(text);
    if (!line) continue;
    if (line.dashes.length > 0 ? (line.dashes[0] ?? 0) < column : line.keyColumn < column) break;
    if (line.keyColumn === column && line.dashes.length === 0 && line.key !== undefined) keys.push(line.key);
  }
  return keys;
}

function readLine(text: string): Line | undefined {
  const lead = /^\s*(?:- +|-$)*/.exec(text)?.[0] ?? '';
  const rest = text.slice(lead.length);
  if ((rest === '' && !lead.includes('-')) || rest.startsWith('#')) return undefined;
  const dashes = [...lead].flatMap((character, column) => (character === '-' ? [column] : []));
  return { dashes, keyColumn: lead.length, key: KEY.exec(rest)?.[1]?.replaceAll(/^["']|["']$/g, '') };
}
