import { DomainError } from '../../../core/errors/index.js';

export const PAGE_TOKEN = /^(server\.\d{1,9}\.[A-Za-z0-9_=+/-]{1,8000}|after\.[A-Za-z0-9_-]{1,2000})$/;

/** Start of the next page: a token of the API server, or the last row of a page from memory. */
export type PageToken = { by: 'server'; seen: number; token: string } | { by: 'row'; after: string };

export function writePageToken(token: PageToken): string {
  return token.by === 'server'
    ? `server.${token.seen}.${token.token}`
    : `after.${Buffer.from(token.after).toString('base64url')}`;
}

/** @throws DomainError `page_expired` for an unknown format */
export function readPageToken(text: string): PageToken {
  const [by, first = '', token = ''] = text.split('.', 3);
  if (by === 'server') return { by, seen: Number(first), token };
  if (by === 'after') return { by: 'row', after: Buffer.from(first, 'base64url').toString('utf8') };
  throw new DomainError('page_expired', 'The page token is invalid. Reload the list.');
}
