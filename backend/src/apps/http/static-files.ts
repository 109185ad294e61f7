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

/** As a build names what it writes: eight characters that no word has, as there is a capital or a digit among them. */
const HASHED = /-(?=[\w-]*[A-Z0-9])[\w-]{8}\.(js|css|woff2)$/;

interface StaticFile {
  content: Buffer;
  brotli: Buffer | undefined;
  type: string;
  /** Names with a hash of the content never change and may be kept for good. */
  immutable: boolean;
}

/**
 * The built files of a page. They are read once, and served by exact name: what is not in the list does
 * not exist, whatever the path says.
 */
export class StaticFiles {
  private readonly files = new Map<string, StaticFile>();

  /** @param prefix what stands before each name in its address, such as `/readme/docs`. */
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

  /** Whether it serves a file at an address. The page itself is rendered with each request's nonce, and never as a file. */
  holds(path: string): boolean {
    return path !== '/index.html' && this.files.has(path);
  }

  handler(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction): void => {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      const file = reads && this.holds(request.path) ? this.files.get(request.path) : undefined;
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

/** The scripts of each source file that is loaded only when it is needed, by its path below `frontend/src`. */
export type PageParts = Readonly<Record<string, readonly string[]>>;

/** What a build tells of its parts; nothing where there is none, or one for development. */
export function readParts(folder: string): PageParts {
  const path = join(folder, 'parts.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PageParts) : {};
}
