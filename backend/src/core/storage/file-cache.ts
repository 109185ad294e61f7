import { statSync } from 'node:fs';
import { DomainError } from '../errors/domain-error.js';
import { NotReadableError, readWholeFile } from './whole-file.js';

/** A change within the same tick of the file system's clock, of up to 10 ms, leaves the times of a file as they are. */
const SETTLED_MS = 100;

/**
 * The parsed content of small files. A file is read again when it has changed, also by another program. That takes one
 * system call, where opening, reading and closing a file takes five, each in another thread. Concurrent readers share one read,
 * and what makes a file unusable is kept as its content is.
 */
export class FileCache<TContent> {
  private readonly known = new Map<string, { version: string; content: Promise<TContent | undefined> }>();

  constructor(
    private readonly maxBytes: number,
    private readonly parse: (text: string) => TContent | Promise<TContent>,
  ) {}

  /** Undefined if the file does not exist. @throws as `readWholeFile`, or an error of the parser */
  async read(path: string): Promise<TContent | undefined> {
    const version = versionOf(path);
    const known = this.known.get(path);
    if (known && known.version === version) return await known.content;
    this.known.delete(path);
    if (version === 'missing') return undefined;
    const content = this.load(path);
    if (version === undefined) return await content;
    // The version is from before the read: newer content is read once more.
    const entry = { version, content };
    this.known.set(path, entry);
    try {
      return await content;
    } catch (error) {
      // Other errors may be due to the machine, such as too many open files.
      const isOfFile = error instanceof DomainError || error instanceof NotReadableError;
      if (!isOfFile && this.known.get(path) === entry) this.known.delete(path);
      throw error;
    }
  }

  private async load(path: string): Promise<TContent | undefined> {
    const text = await readWholeFile(path, this.maxBytes);
    return text === undefined ? undefined : await this.parse(text);
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
