import { formatList } from '../../shared/format/format';
import type { syntaxTree } from '@codemirror/language';
import type { SchemaView } from './json-schema';
import { nearest } from './nearest';
import { scalarText, typeOfPlain } from './yaml-scalars';

export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

/** A problem in a text, from one offset to another. */
export interface Finding {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

/** Reads a part of the text. */
export type ReadText = (from: number, to: number) => string;

interface Place {
  /** The field or item, for messages. */
  name: string;
  /** Marked if the value is a map or a list. */
  key: SyntaxNode | undefined;
}

const MAX_DEPTH = 100;
/** A longer list of values does not help. */
const MAX_LISTED = 8;

const TYPES: Readonly<Record<string, string>> = {
  object: $localize`a map`,
  array: $localize`a list`,
  string: $localize`a string`,
  integer: $localize`an integer`,
  number: $localize`a number`,
  boolean: $localize`true or false`,
};

/**
 * Checks the value of a node against a schema.
 * @returns its problems; null after each value, where the caller can pause
 */
export function* checkValue(
  node: SyntaxNode | null,
  view: SchemaView | undefined,
  read: ReadText,
  place: Place = { name: '', key: undefined },
  depth = 0,
): Generator<Finding | null> {
  yield null;
  const value = node?.name === 'Anchored' ? node.lastChild : node;
  const type = value && typeOfNode(value, read);
  // An alias or a tag has another type than it seems; null removes a field.
  if (!value || !type || type === 'null' || depth > MAX_DEPTH) return;
  if (view && !accepts(view.types, type)) {
    yield wrongType(value, type, view, place);
    return;
  }
  if (type === 'object') yield* checkMap(value, view, read, place, depth);
  else if (type === 'array') {
    for (const item of value.getChildren('Item')) {
      yield* checkValue(valueOf(item), view?.items, read, { name: place.name, key: undefined }, depth + 1);
    }
  } else if (view?.own.enum) yield* checkEnum(value, view, read, place);
}

function* checkMap(
  map: SyntaxNode,
  view: SchemaView | undefined,
  read: ReadText,
  place: Place,
  depth: number,
): Generator<Finding | null> {
  const seen = new Set<string>();
  let isComplete = true;
  for (let pair = map.firstChild; pair; pair = pair.nextSibling) {
    const key = pair.name === 'Pair' ? pair.getChild('Key') : null;
    const name = key && scalarText(read(key.from, key.to));
    if (pair.type.isError || name === '<<') isComplete = false;
    if (!key || typeof name !== 'string' || name === '<<') continue;
    if (seen.has(name)) yield error(key, $localize`${name}:field: is set twice in the same map.`);
    seen.add(name);
    const field = view?.field(name);
    if (!field && view?.isClosed && view.fields.length > 0) yield unknownField(key, name, view);
    yield* checkValue(valueOf(pair), field, read, { name, key }, depth + 1);
  }
  const missing = (view?.own.required ?? []).filter((name) => !seen.has(name));
  if (view && isComplete && missing.length > 0) {
    const list = missing.join(', ');
    const at = place.key ?? map.getChild('Pair')?.getChild('Key') ?? map;
    // Not an error: an apply to an existing object may contain only some of its fields.
    yield {
      ...rangeOf(at),
      severity: 'warning',
      message: $localize`${view.name}:type: requires ${list}:fields:.`,
    };
  }
}

function* checkEnum(
  value: SyntaxNode,
  view: SchemaView,
  read: ReadText,
  { name }: Place,
): Generator<Finding> {
  const text = value.name === 'BlockLiteral' ? undefined : scalarText(read(value.from, value.to));
  const values = (view.own.enum ?? []).map(String);
  if (text === undefined || values.includes(text)) return;
  const near = nearest(text, values);
  const list = values.filter((each) => each !== '').join(', ');
  if (near !== undefined) {
    yield error(
      value,
      $localize`${text}:value: is not a value of ${name}:field:. Did you mean ${near}:suggestion:?`,
    );
  } else if (values.length <= MAX_LISTED) {
    yield error(
      value,
      $localize`${text}:value: is not a value of ${name}:field:. Use one of: ${list}:values:.`,
    );
  } else {
    yield error(value, $localize`${text}:value: is not a value of ${name}:field:.`);
  }
}

function unknownField(key: SyntaxNode, name: string, view: SchemaView): Finding {
  const near = nearest(name, view.fields);
  return error(
    key,
    near === undefined
      ? $localize`${name}:field: is not a field of ${view.name}:type:.`
      : $localize`${name}:field: is not a field of ${view.name}:type:. Did you mean ${near}:suggestion:?`,
  );
}

function wrongType(value: SyntaxNode, type: string, { types }: SchemaView, { name, key }: Place): Finding {
  const isCollection = type === 'object' || type === 'array';
  const found = TYPES[type] ?? type;
  if (types.length === 1 && types[0] === 'string' && !isCollection) {
    return error(value, $localize`${name}:field: must be a string, not ${found}:type:. Put it in quotes.`);
  }
  const wanted = formatList(
    types.map((each) => TYPES[each] ?? each),
    'disjunction',
  );
  return error(
    isCollection && key ? key : value,
    $localize`${name}:field: must be ${wanted}:wanted:, not ${found}:type:.`,
  );
}

function accepts(types: readonly string[], type: string): boolean {
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** A type of JSON, or null for an alias and a tag. */
function typeOfNode({ name, from, to }: SyntaxNode, read: ReadText): string | null {
  switch (name) {
    case 'BlockMapping':
    case 'FlowMapping':
      return 'object';
    case 'BlockSequence':
    case 'FlowSequence':
      return 'array';
    case 'QuotedLiteral':
    case 'BlockLiteral':
      return 'string';
    case 'Literal':
      return typeOfPlain(read(from, to));
    default:
      return null;
  }
}

/** The value of a pair or an item; null if it has none, or an erroneous one. */
function valueOf(parent: SyntaxNode): SyntaxNode | null {
  for (let child = parent.lastChild; child; child = child.prevSibling) {
    if (child.type.isError) return null;
    if (/^(?:Block(?:Mapping|Sequence|Literal)|Flow|Quoted|Literal|Anchored|Tagged|Alias)/.test(child.name)) {
      return child;
    }
  }
  return null;
}

function error(node: SyntaxNode, message: string): Finding {
  return { ...rangeOf(node), severity: 'error', message };
}

function rangeOf({ from, to }: SyntaxNode): { from: number; to: number } {
  return { from, to };
}
