import { createHash } from 'node:crypto';
import { DomainError, invalidField } from '../../../core/errors/index.js';

/** A strong entity tag: the same for the same bytes, and for no others. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`;
}

/**
 * Holds `If-Match` against a tag (RFC 9110, 13.1.1). A weak tag matches nothing, as the comparison is strong.
 * Without the header there is no condition: a script may replace whatever is there.
 * @throws DomainError `invalid_input` where it is no tag, and `precondition_failed` with the current tag where
 *   it names another text.
 */
export function requireMatch(header: string | undefined, current: string, what: string): void {
  const value = header?.trim() ?? '*';
  if (value === '*') return;
  const tags = value.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag))) {
    throw invalidField('If-Match', 'must be an ETag with its quotes, such as "9f86d081", or *');
  }
  if (tags.includes(current)) return;
  throw new DomainError(
    'precondition_failed',
    `${capitalized(what)} was changed since you read it. Read it again, and bring your change into it.`,
    { etag: current },
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
