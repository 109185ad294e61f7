import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
};

/** The hash in the names of built files: eight characters with a capital or a digit, which no word of the names has. */
const HASHED = /-(?=[\w-]{0,7}[A-Z0-9])[\w-]{8}\.(js|css|woff2)$/;

interface StaticFile {
  content: Buffer;
  brotli: Buffer | undefined;
  type: string;
  /** Whether the name contains a hash of the content, so that browsers can cache it forever. */
  immutable: boolean;
}

/** Reads the files of a folder once and serves them by exact name, so that no path reaches another file. */
export class StaticFiles {
  private readonly files = new Map<string, StaticFile>();

  /** @param prefix of the URLs, such as `/readme/docs`. */
  constructor(folder: string, prefix = '') {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || entry.name.endsWith('.br')) continue;
      const name = `${prefix}/${relative(folder, path).split(sep).join('/')}`;
      this.files.set(name, {
        content: readFileSync(path),
        brotli: existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined,
        type: TYPES[extname(entry.name)] ?? 'application/octet-stream',
        immutable: HASHED.test(entry.name),
      });
    }
  }

  text(name: string): string | undefined {
    return this.files.get(name)?.content.toString('utf8');
  }

  handler(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction): void => {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      // `pages` renders the page itself with a nonce.
      const file = reads && request.path !== '/index.html' ? this.files.get(request.path) : undefined;
      if (!file) {
        next();
        return;
      }
      response.setHeader('content-type', file.type);
      response.setHeader(
        'cache-control',
        file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      response.setHeader('vary', 'accept-encoding');
      const compressed = file.brotli && request.acceptsEncodings('br') === 'br' ? file.brotli : undefined;
      if (compressed) response.setHeader('content-encoding', 'br');
      response.end(compressed ?? file.content);
    };
  }
}
