import type { IncomingMessage } from 'node:http';

/**
 * The token of the Authorization header. Of two such headers Node would show the first, and a proxy may have
 * checked the other: then there is none.
 */
export function readBearerToken({ headersDistinct }: IncomingMessage): string | null {
  const [header, ...others] = headersDistinct['authorization'] ?? [];
  if (header === undefined || others.length > 0) return null;
  return /^Bearer +([\w.-]+)$/i.exec(header)?.[1] ?? null;
}

/** Whether a request shows a token at all, valid or not. */
export function showsBearer({ headersDistinct }: IncomingMessage): boolean {
  return (headersDistinct['authorization'] ?? []).some((header) => /^\s*bearer\b/i.test(header));
}
