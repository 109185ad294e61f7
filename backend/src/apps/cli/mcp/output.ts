import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { plainText, redact } from '../../../core/logging/redaction.js';
import { isRecord } from '../../../core/values/index.js';

/** Characters of a result as JSON. */
const MAX_RESULT = 60_000;
/** Characters of the items of a list. The rest is for what is beside them. */
const MAX_LIST = 50_000;
const MAX_TEXT = 4_000;
/** Fields with whole documents. */
const DOCUMENTS: ReadonlySet<string> = new Set(['yaml', 'config']);
const MAX_DOCUMENT = 40_000;

/** Zero-width, bidirectional and tag characters, which hide instructions from people but not from a model. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Items of a list in a result. */
export const MAX_ITEMS = 100;

/** The result of a tool before it is cleaned: fields of JSON. */
export type Output = Record<string, unknown>;

/**
 * The first items of a list that fit a result, beside how many the result leaves out.
 * @param total number of items, if `items` are only the first.
 * @param narrow how to get the others.
 */
export function listOf(
  name: string,
  items: readonly unknown[],
  narrow: string,
  total = items.length,
): Output {
  const shown: unknown[] = [];
  let characters = 0;
  for (const item of items.slice(0, MAX_ITEMS)) {
    const cleaned = clean(item);
    characters += JSON.stringify(cleaned).length;
    if (characters > MAX_LIST) break;
    shown.push(cleaned);
  }
  const omitted = Math.max(total, items.length) - shown.length;
  return { [name]: shown, ...(omitted > 0 && { omitted, note: `${omitted} more. ${narrow}` }) };
}

/** The newest lines of a log that fit a result, in the order of time. @param lines newest first. */
export function linesOf(lines: readonly unknown[], narrow: string): Output {
  const found = listOf('lines', lines, narrow);
  return { ...found, lines: (found['lines'] as unknown[]).reverse() };
}

/** A successful result: structured, and the same as text for clients that show only text. */
export function resultOf(output: Output): CallToolResult {
  const structuredContent = clean(output) as Output;
  const text = JSON.stringify(structuredContent);
  if (text.length > MAX_RESULT) return failureOf('The result is too large. Narrow the request.');
  return { structuredContent, content: [{ type: 'text', text }] };
}

export function failureOf(error: unknown): CallToolResult {
  const message = typeof error === 'string' ? error : reasonOf(error);
  return { isError: true, content: [{ type: 'text', text: cleanText(message, MAX_TEXT) }] };
}

/** A value without secrets and control characters, and with truncated texts. Cleaning it again changes nothing. */
function clean(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return cleanText(value, DOCUMENTS.has(field) ? MAX_DOCUMENT : MAX_TEXT);
  if (Array.isArray(value)) return value.map((item) => clean(item, field));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [cleanText(name, MAX_TEXT), clean(item, name)]),
  );
}

function cleanText(text: string, maximum: number): string {
  const plain = redact(plainText(text)).replace(INVISIBLE, '');
  const marker = ' [truncated]';
  return plain.length > maximum ? plain.slice(0, maximum - marker.length) + marker : plain;
}
