import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { SchemaView } from './json-schema';
import { typeOfPlain } from './yaml-scalars';
import { yamlContextAt } from './yaml-context';
import { documentAround, type DocumentSchemas, headOf } from './yaml-documents';

/** Other names need quotes. */
const PLAIN_KEY = /^[\w.$/-]+$/;
const FIRST_KEYS = ['spec', 'metadata', 'kind', 'apiVersion'];

/** Completes keys and values of the document at the cursor. */
export function completeFrom(schemas: () => DocumentSchemas | undefined) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos } = context;
    const found = schemas();
    if (!found) return null;
    const line = state.doc.lineAt(pos);
    const { first, lines } = documentAround(state.doc, line.number);
    const place = yamlContextAt(lines, line.number - first, pos - line.from);
    const nothingTyped = place?.key === undefined && line.from + (place?.from ?? 0) === pos;
    if (!place || (nothingTyped && !context.explicit)) return null;
    const document = await found.of(headOf(lines.join('\n')));
    const map = document && SchemaView.of(document.schema, '').at(place.path);
    if (!map || context.aborted) return null;
    const options =
      place.key === undefined
        ? [...keysOf(map, place.present, place.path.length === 0), ...valuesOf(map)]
        : valuesOf(map.field(place.key));
    return options.length > 0 ? { from: line.from + place.from, options, validFor: /^[\w./-]*$/ } : null;
  };
}

function keysOf(map: SchemaView, present: ReadonlySet<string>, isRoot: boolean): Completion[] {
  return map.fields
    .filter((key) => !present.has(key) && PLAIN_KEY.test(key))
    .map((key): Completion => {
      const field = map.field(key);
      const isRequired = map.own.required?.includes(key) ?? false;
      const [type] = field?.types ?? [];
      const info = field?.own.description;
      const text = typeText(field);
      const detail = isRequired ? $localize`${text}:type:, required` : text;
      return {
        label: key,
        type: 'property',
        // With a space for screen readers, which read it after the label.
        ...(detail === '' ? {} : { detail: ` ${detail}` }),
        boost: (isRequired ? 10 : 0) + (isRoot ? 20 * (FIRST_KEYS.indexOf(key) + 1) : 0),
        apply: type === 'object' || type === 'array' ? opening(type) : `${key}: `,
        ...(info === undefined ? {} : { info }),
      };
    });
}

/** `string`, `[]Container` */
function typeText(view: SchemaView | undefined): string {
  const types = view?.types ?? [];
  if (types.includes('array')) return `[]${typeText(view?.items)}`;
  if (!types.includes('object')) return types.join(' | ');
  return view?.typeName ?? 'object';
}

/** Objects and arrays continue on the next line, indented. */
function opening(type: 'object' | 'array'): Exclude<Completion['apply'], string | undefined> {
  return (view: EditorView, { label }: Completion, from: number, to: number): void => {
    const { state } = view;
    const indent = ' '.repeat(from - state.doc.lineAt(from).from + 2);
    const insert = state.toText(`${label}:${state.lineBreak}${indent}${type === 'array' ? '- ' : ''}`);
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
    startCompletion(view);
  };
}

function valuesOf(view: SchemaView | undefined): Completion[] {
  if (!view) return [];
  const { const: only, enum: values = only === undefined ? [] : [only], examples = [] } = view.own;
  const isBoolean = view.types.length === 1 && view.types[0] === 'boolean';
  return [...(isBoolean ? [true, false] : values), ...examples]
    .filter((value) => value !== '')
    .map((value) => ({
      label: typeof value === 'string' && typeOfPlain(value) !== 'string' ? `"${value}"` : String(value),
      type: 'constant',
    }));
}
