import { createHash } from 'node:crypto';
import { DomainError, invalidField } from '../../../core/errors/index.js';

export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`;
}

/**
 * Checks `If-Match` (RFC 9110, 13.1.1). The comparison is strong, so a weak tag never matches. Without the header there
 * is no condition.
 * @throws DomainError `invalid_input` if the header is malformed, or `precondition_failed` with the current tag.
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
    `${what} has changed since you read it. Read it again, and merge your change.`,
    { etag: current },
  );
}
