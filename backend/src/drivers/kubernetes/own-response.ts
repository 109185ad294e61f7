import { STATUS_CODES } from 'node:http';

/** A response from Slipway instead of the Pod. */
export interface OwnResponse {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** All headers of an own response, which ends its connection. */
export function ownHeaders({ text, headers }: OwnResponse): Record<string, string> {
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
    ...headers,
  };
}

/** The bytes of an own response on a connection without an HTTP server. */
export function responseText(response: OwnResponse): string {
  const headers = Object.entries(ownHeaders(response)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}\r\n${headers.join('')}\r\n${response.text}`;
}
