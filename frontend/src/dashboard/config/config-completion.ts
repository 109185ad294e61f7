import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { yamlContextAt } from './yaml-context';

/** The used subset of the JSON Schema of configs. */
export interface ConfigSchema {
  type?: string;
  description?: string;
  const?: string;
  enum?: string[];
  properties?: Record<string, ConfigSchema>;
  items?: ConfigSchema;
}

export function completeFrom(schema: () => ConfigSchema | undefined) {
  return (context: CompletionContext): CompletionResult | null => {
    const root = schema();
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    const place = root && yamlContextAt(state.doc.toString().split('\n'), line.number - 1, pos - line.from);
    const nothingTyped = place?.key === undefined && line.from + (place?.from ?? 0) === pos;
    if (!place || (nothingTyped && !context.explicit)) return null;
    const map = schemaAt(root, place.path);
    const options =
      place.key === undefined ? keysOf(map, place.present) : valuesOf(map?.properties?.[place.key]);
    return options.length > 0 ? { from: line.from + place.from, options, validFor: /^[\w.-]*$/ } : null;
  };
}

function schemaAt(root: ConfigSchema, path: readonly string[]): ConfigSchema | undefined {
  return path.reduce<ConfigSchema | undefined>(
    (schema, step) => (step === '[]' ? schema?.items : schema?.properties?.[step]),
    root,
  );
}

function keysOf(schema: ConfigSchema | undefined, present: ReadonlySet<string>): Completion[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([key]) => !present.has(key))
    .map(([key, { type, description }]) => ({
      label: key,
      type: 'property',
      apply: type === 'object' || type === 'array' ? opening(type) : `${key}: `,
      ...(description === undefined ? {} : { info: description }),
    }));
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

function valuesOf(schema: ConfigSchema | undefined): Completion[] {
  const values =
    schema?.type === 'boolean' ? ['true', 'false'] : (schema?.enum ?? (schema?.const ? [schema.const] : []));
  return values.filter((value) => value !== '').map((label) => ({ label, type: 'constant' }));
}
