import { redact } from '../../core/logging/index.js';

/** An object before and after a change, as YAML without the values of Secrets. */
export interface ChangedText {
  /** Null if the object did not exist. */
  before: string | null;
  /** Empty if the object was deleted. */
  after: string;
}

/** The part of a change that the journal keeps. */
export interface JournalDiff extends ChangedText {
  /** Number of the first line in the whole text. */
  first_line: number;
  /** Whether lines at the end are left out. */
  truncated: boolean;
}

/** Of both texts, in bytes. */
const MAX_BYTES = 8000;
/** Unchanged lines that are kept before and after the changed ones. */
const CONTEXT = 12;

/** The changed lines with some of their neighbors, up to 8 kB, with everything masked that looks like a secret. */
export function journalDiff({ before, after }: ChangedText): JournalDiff {
  // Bounded and masked as a whole: a part of a key does not look like one.
  const [old, fresh] = [linesOf(before ?? ''), linesOf(after)];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT);
  const kept = [old, fresh].map((lines) =>
    lines.slice(from, lines.length - Math.max(0, end - CONTEXT)).join('\n'),
  );
  const [shorter = 0] = kept.map((text) => Buffer.byteLength(text)).sort((one, other) => one - other);
  // Space that one text does not need is for the other.
  const limit = MAX_BYTES - Math.min(shorter, MAX_BYTES / 2);
  const [keptBefore = '', keptAfter = ''] = kept.map((text) => cut(text, limit));
  return {
    before: before === null ? null : keptBefore,
    after: keptAfter,
    first_line: from + 1,
    truncated: keptBefore !== kept[0] || keptAfter !== kept[1],
  };
}

function linesOf(text: string): string[] {
  return redact(text).split('\n');
}

/** Without the lines, or the end of the only line, that exceed the limit. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  // A stream may end within a character.
  const part = new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
  const end = part.lastIndexOf('\n');
  return end > 0 ? part.slice(0, end) : part;
}
