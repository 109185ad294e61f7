import type { Text } from '@codemirror/state';
import type { Schema } from './json-schema';

/** The fields that select the schema of a document. */
export interface DocumentHead {
  apiVersion?: string;
  kind?: string;
}

export interface DocumentSchema {
  schema: Schema;
  /** The error in the value of a field of the head. */
  warning?: { field: keyof DocumentHead; message: string };
}

/** Schemas of the documents of a text. */
export interface DocumentSchemas {
  /** @returns undefined without a schema */
  of(head: DocumentHead): Promise<DocumentSchema | undefined>;
}

const SEPARATOR = /^(---|\.\.\.)(\s|$)/;
const HEAD = /^(apiVersion|kind)[ \t]*:[ \t]+(["']?)([^\s"'#]+)\2/gm;

/** Reads lines, because the text is often incomplete while the user types. */
export function headOf(document: string): DocumentHead {
  const head: DocumentHead = {};
  for (const [, field, , value] of document.matchAll(HEAD)) {
    head[field as keyof DocumentHead] ??= value ?? '';
  }
  return head;
}

/**
 * The lines of the document that contains a line.
 * @param line from 1, as `first`
 */
export function documentAround(doc: Text, line: number): { first: number; lines: string[] } {
  let first = line;
  while (first > 1 && !SEPARATOR.test(doc.line(first - 1).text)) first -= 1;
  let last = line;
  while (last < doc.lines && !SEPARATOR.test(doc.line(last + 1).text)) last += 1;
  const text = doc.sliceString(doc.line(first).from, doc.line(last).to, '\n');
  return { first, lines: text.split('\n') };
}
