export const PAGE_TOKEN = /^[A-Za-z0-9_-]{1,2000}$/;

/** @param key of the last row of a page: the next page begins after it, even if it has been deleted */
export function writePageToken(key: string): string {
  return Buffer.from(key).toString('base64url');
}

export function readPageToken(token: string): string {
  return Buffer.from(token, 'base64url').toString('utf8');
}
