import type { IncomingMessage } from 'node:http';

/** The token of the Authorization header; null if there are two such headers, as a proxy may have checked the other. */
export function readBearerToken({ headersDistinct }: IncomingMessage): string | null {
  const [header, ...others] = headersDistinct['authorization'] ?? [];
  if (header === undefined || others.length > 0) return null;
  return /^Bearer +([\w.-]+)$/i.exec(header)?.[1] ?? null;
}

/** Whether a request has a Bearer header, valid or not. */
export function hasBearer({ headersDistinct }: IncomingMessage): boolean {
  return (headersDistinct['authorization'] ?? []).some((header) => /^\s*bearer\b/i.test(header));
}
