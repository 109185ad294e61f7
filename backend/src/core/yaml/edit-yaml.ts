import { isMap, isPair, isScalar, isSeq, stringify, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { withGoLineFeeds } from './parse-yaml.js';

type Fields = YAMLMap<Node, Node | null>;
type Field = Fields['items'][number];
type List = YAMLSeq<Node | null>;

/** A change of a text at a position. */
export interface Edit {
  start: number;
  end: number;
  inserted: string;
}

export function withEdit(text: string, { start, end, inserted }: Edit): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/**
 * The edit that changes one value of a map or list in its own style. Every other byte stays: what is added and cut again
 * leaves no trace.
 * @param key the name of a field, or the index of an item. A list gets values only after its last item.
 * @param value `undefined` cuts the field or item.
 */
export function editYaml(given: string, parent: unknown, key: string | number, value: unknown): Edit {
  const text = withGoLineFeeds(given);
  if (isSeq<Node | null>(parent)) {
    return value === undefined ? cut(text, parent, Number(key)) : append(text, parent, value);
  }
  if (!isMap<Node, Node | null>(parent)) throw new Error(`${key} is not in a map or list`);
  // Of a repeated key, the last one counts.
  const index = parent.items.findLastIndex(({ key: own }) => isScalar(own) && own.source === key);
  if (value === undefined) return cut(text, parent, index);
  const field = parent.items[index];
  return field ? replace(text, field, value) : insert(text, parent, String(key), value);
}

function replace(text: string, { key, value }: Field, wanted: unknown): Edit {
  const isQuoted = isScalar(value) && value.type === 'QUOTE_DOUBLE' && value.source !== '';
  const written = inLine(wanted, isQuoted || isJson(text));
  const afterKey = endOf(key);
  const colon = /^\s*:/.exec(text.slice(afterKey))?.[0];
  const start = afterKey + (colon?.length ?? 0);
  // A key in a flow map, such as `{image}`, may have no colon.
  if (colon === undefined || !value?.range) return at(start, `${colon === undefined ? ':' : ''} ${written}`);
  const from = startOf(value);
  // A block scalar includes its last line break.
  const end = from + text.slice(from, endOf(value)).trimEnd().length;
  const anchor = isScalar(value) && value.anchor !== undefined ? `&${value.anchor} ` : '';
  // A tag may not fit the new value.
  if (isScalar(value) && (value.tag !== undefined || (value.source === '' && value.type === 'PLAIN'))) {
    const inserted = ` ${anchor}${written}${text[end] === '#' ? ' ' : ''}`;
    return { start, end: Math.max(end, start), inserted };
  }
  return { start: from, end, inserted: written };
}

/** Inserts below the texts and numbers that a map begins with, such as `role`, or else before its first field. */
function insert(text: string, map: Fields, name: string, value: unknown): Edit {
  const start = startOf(map);
  if (map.flow) {
    const field = `${inLine(name, isJson(text))}: ${inLine(value, isJson(text))}`;
    const blank = /^\{\s*/.exec(text.slice(start))?.[0].length ?? 1;
    return at(start + blank, map.items.length > 0 ? `${field}, ` : field);
  }
  const field = block(text, map, { [name]: value });
  const first = map.items.findIndex(
    ({ value: other }) => !isScalar(other) || other.type?.startsWith('BLOCK'),
  );
  if (first === 0) return at(start, field + newLineOf(text, map));
  const last = map.items.at(first === -1 ? -1 : first - 1);
  return at(lineEnd(text, endOf(last)), newLineOf(text, map) + field);
}

function append(text: string, list: List, value: unknown): Edit {
  const last = list.items.at(-1);
  if (!list.flow) return at(lineEnd(text, endOf(last)), newLineOf(text, list) + block(text, list, [value]));
  const written = inLine(value, isJson(text));
  return last ? at(endOf(last), `, ${written}`) : at(startOf(list) + 1, written);
}

/** Cuts an entry with its lines or its comma. Comments between a key and its block stay. */
function cut(text: string, { items, flow }: Fields | List, index: number): Edit {
  const item = items[index];
  const [start, end] = [startOf(item), endOf(item)];
  if (flow) {
    const next = items[index + 1];
    if (next) return { start, end: startOf(next), inserted: '' };
    return { start: index > 0 ? endOf(items[index - 1]) : start, end, inserted: '' };
  }
  const from = lineStart(text, isPair(item) ? start : text.lastIndexOf('-', start));
  const to = lineEnd(text, end);
  if (isPair<Node, Node | null>(item)) {
    const above = text.slice(endOf(item.key), lineStart(text, startOf(item.value)));
    const comment = above.indexOf('#');
    if (comment >= 0) return { start: from, end: to, inserted: above.slice(comment).trimEnd() };
  }
  // The line break before the entry, or in the first line the one after it.
  if (text[from - 1] !== '\n') return { start: from, end: text.indexOf('\n', to) + 1 || to, inserted: '' };
  return { start: from - (text[from - 2] === '\r' ? 2 : 1), end: to, inserted: '' };
}

function at(start: number, inserted: string): Edit {
  return { start, end: start, inserted };
}

/** A value for one line, or a key. */
function inLine(value: unknown, isQuoted: boolean): string {
  return isQuoted
    ? JSON.stringify(value, undefined, 1).replace(/\n */g, ' ')
    : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

/** Lines that begin at the column of a node, as the lists of the document do. */
function block(text: string, node: Node, value: unknown): string {
  const indentSeq = /^[a-z]+:\r?\n +- /m.test(text);
  return stringify(value, { lineWidth: 0, indentSeq }).trimEnd().replaceAll('\n', newLineOf(text, node));
}

function newLineOf(text: string, node: Node): string {
  const start = startOf(node);
  return (text.includes('\r\n') ? '\r\n' : '\n') + ' '.repeat(start - lineStart(text, start));
}

function isJson(text: string): boolean {
  return /^\s*\{\s*"/.test(text);
}

function startOf(node: Node | Field | null | undefined): number {
  return (isPair<Node>(node) ? node.key.range?.[0] : node?.range?.[0]) ?? 0;
}

/** Where the text of a node ends, without comments and line breaks after it. */
function endOf(node: Node | Field | null | undefined): number {
  if (isPair<Node, Node | null>(node)) return endOf(node.value ?? node.key);
  const isBlock = (isMap<Node, Node | null>(node) || isSeq<Node | null>(node)) && !node.flow;
  return isBlock ? endOf(node.items.at(-1)) : (node?.range?.[1] ?? 0);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1 || (text.startsWith('\ufeff') ? 1 : 0);
}

/** The line break of a line, also for the end of a block scalar, which is after it. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', text[offset - 1] === '\n' ? offset - 1 : offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}
