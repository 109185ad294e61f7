import { statSync } from 'node:fs';
import { readWholeFile } from './whole-file.js';

/** A change within the same tick of the file system's clock, of up to 10 ms, leaves the times of a file as they are. */
const SETTLED_MS = 100;

/**
 * The parsed content of small files. A file is read again when it has changed, also by another program. That takes one
 * system call, where opening, reading and closing a file takes five, each in another thread.
 */
export class FileCache<TContent> {
  private readonly known = new Map<string, { version: string; content: TContent }>();

  constructor(
    private readonly maxBytes: number,
    private readonly parse: (text: string) => TContent | Promise<TContent>,
  ) {}

  /** Undefined if the file does not exist. @throws as `readWholeFile`, or an error of the parser */
  async read(path: string): Promise<TContent | undefined> {
    const version = versionOf(path);
    const known = this.known.get(path);
    if (known && known.version === version) return known.content;
    this.known.delete(path);
    if (version === 'missing') return undefined;
    const text = await readWholeFile(path, this.maxBytes);
    if (text === undefined) return undefined;
    const content = await this.parse(text);
    // The version is from before the read: newer content is read once more.
    if (version !== undefined) this.known.set(path, { version, content });
    return content;
  }
}

/** Changes with each change of a file, or of the list of a folder. Undefined if it has just changed. */
export function versionOf(path: string): string | undefined {
  try {
    const state = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!state) return 'missing';
    if (Date.now() - Number(state.ctimeMs) < SETTLED_MS) return undefined;
    return [state.ino, state.size, state.mtimeNs, state.ctimeNs].join();
  } catch {
    // Reading it tells why.
    return undefined;
  }
}
