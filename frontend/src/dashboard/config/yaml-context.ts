/** Where the cursor stands in a YAML text, as far as its indentation tells. */
export interface YamlContext {
  /** Keys from the document's root to the map around the cursor; `[]` for an item of a list. */
  path: string[];
  /** The key whose value is being typed; undefined while a key is. */
  key: string | undefined;
  /** Keys that the map has already. */
  present: Set<string>;
  /** Column, from 0, where the word under the cursor begins. */
  from: number;
}

interface Line {
  /** Columns of the dashes that begin items on this line. */
  dashes: number[];
  keyColumn: number;
  key: string | undefined;
}

const KEY = /^([\w./-]+|"[^"]*"|'[^']*')\s*:(?=\s|$)/;

/**
 * Reads the text line by line and not as a document, since what is being typed is seldom whole.
 * @param line from 0
 * @param column from 0
 * @returns undefined where nothing can be told: in a comment, in a flow such as `{ a: b }`, in text of its own.
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

/** Goes up from a line to the root, by columns that grow smaller. */
function climb(lines: readonly string[], index: number, own: Line): { path: string[]; present: Set<string> } {
  const path: string[] = [];
  const present = new Set<string>();
  /** The column of what is looked out from; `ofList` where that are dashes, and the key that holds them is sought. */
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

/** Keys of the same map that follow. */
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
