import type { TableCell, TableColumn } from '../../../kubernetes/index.js';
import type { ApiObject, Definition } from '../shapes.js';
import { since } from './durations.js';

type PrinterColumn = NonNullable<
  NonNullable<NonNullable<Definition['spec']>['versions']>[number]['additionalPrinterColumns']
>[number];

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
/** `.spec.size`, `.status.conditions[?(@.type=="Ready")].status`, `.items[0]`. */
const STEP = /\.([\w-]+)|\[(\d+)\]|\['([^']+)'\]|\[\?\(@\.([\w-]+)\s*==\s*["']([^"']*)["']\)\]/g;

/** What a definition of custom resources wants to be printed of them. */
export function customColumns(definition: Definition, version: string): PrinterColumn[] {
  const found = definition.spec?.versions?.find(({ name }) => name === version);
  return found?.additionalPrinterColumns ?? [AGE];
}

export function tableColumns(columns: readonly PrinterColumn[]): TableColumn[] {
  return [
    { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
    ...columns.map(({ name, type, format = '', description = '', priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
  ];
}

export function customCells(object: ApiObject, columns: readonly PrinterColumn[], now: number): TableCell[] {
  return [
    object.metadata.name,
    ...columns.map(({ jsonPath, type }) => cell(valueAt(object, jsonPath), type, now)),
  ];
}

function cell(value: unknown, type: string, now: number): TableCell {
  if (value === undefined || value === null) return null;
  if (type === 'date') return typeof value === 'string' ? since(value, now) : null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}

/** The part of JSONPath that definitions use. */
function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const [, field, index, quoted, key, wanted] of path.matchAll(STEP)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (key !== undefined) {
      if (!Array.isArray(value)) return undefined;
      value = value.find((item: Record<string, unknown>) => item[key] === wanted);
    } else {
      value = (value as Record<string, unknown>)[field ?? quoted ?? index ?? ''];
    }
  }
  return value;
}
