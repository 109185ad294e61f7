import { partsOf } from '../../../../backend/src/core/lines/index.js';

/** A JSON, logfmt or klog line, with its message first. */
export interface StructuredLine {
  message: string;
  /** `name=value` pairs, without time and level: the row shows both. */
  fields: readonly string[];
}

/** More and longer fields are in the line details. */
const MAX_FIELDS = 40;
const MAX_VALUE = 300;

const SHOWN_NAMES = new Set([
  ...['time', 'ts', 'timestamp', '@timestamp', 't', '@t'],
  ...['level', 'lvl', 'severity', 'loglevel', 'log_level', 'log.level', 'levelname', 'level_name'],
  ...['severitytext', 'severity_text', 'severitynumber', '@l', '@level'],
]);

/**
 * Splits a line of at most `MAX_LINE_LENGTH` characters without terminal escapes, as filters by field read it.
 * @returns null for a line without a message of its own, or with other text that would be lost
 */
export function structuredLine(text: string): StructuredLine | null {
  const { message, fields, isWhole } = partsOf(text);
  if (!isWhole) return null;
  const shown = fields.filter(({ name }) => !SHOWN_NAMES.has(name.toLowerCase()));
  return { message, fields: shown.slice(0, MAX_FIELDS).map(fieldText) };
}

function fieldText({ name, value }: { name: string; value: string }): string {
  if (name === '') return value;
  const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
  return `${name}=${/^[^[{]/.test(shown) && /[\s"=]/.test(shown) ? JSON.stringify(shown) : shown}`;
}
