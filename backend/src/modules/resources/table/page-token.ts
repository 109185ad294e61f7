import { DomainError } from '../../../core/errors/index.js';

/** What `?continue=` takes: one of the two below. */
export const PAGE_TOKEN = /^(server\.\d{1,9}\.[A-Za-z0-9_=+/-]{1,8000}|after\.[A-Za-z0-9_-]{1,2000})$/;

/** How a page goes on: by the API server's own token, or after a row of those that are held here. */
export type PageToken =
  | {
      by: 'server';
      /** Rows of the pages before. */
      seen: number;
      token: string;
    }
  | { by: 'row'; after: string };

export function writePageToken(token: PageToken): string {
  return token.by === 'server'
    ? `server.${token.seen}.${token.token}`
    : `after.${Buffer.from(token.after).toString('base64url')}`;
}

/** @throws DomainError `page_expired` for a token that is none of ours */
export function readPageToken(text: string): PageToken {
  const [by, first = '', token = ''] = text.split('.', 3);
  if (by === 'server') return { by, seen: Number(first), token };
  if (by === 'after') return { by: 'row', after: Buffer.from(first, 'base64url').toString('utf8') };
  throw new DomainError('page_expired', 'This page of the list cannot be gone on from. Begin again.');
}
