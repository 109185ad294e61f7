import type { FileEntryDto } from './files.dto.js';
import { readName } from './file-names.js';

/** Entries that are shown of a directory. */
const MAX_ENTRIES = 5000;
/** busybox prints seconds before 1970 as an unsigned number on some systems. */
const PROPERTIES = /([0-9a-f]{1,8})\/(\d{1,20})\/(-?\d{1,20})\//y;
/** A time that JavaScript can represent. */
const MAX_SECONDS = 8.64e12;
const TYPE_BITS = 0xf000;
const TYPES: Readonly<Record<number, FileEntryDto['type']>> = {
  0x4000: 'directory',
  0x8000: 'file',
  0xa000: 'link',
};

export interface Listing {
  entries: FileEntryDto[];
  omitted: number;
}

/**
 * Reads the output of the program `list`. It comes from the container, which is untrusted. Directories come first, then by
 * name.
 */
export function readListing(output: Buffer): Listing {
  // A character per byte, since names need not be UTF-8.
  const parts = output.toString('latin1').split('\0');
  const names = parts.slice(0, parts.indexOf(''));
  const [own = '', followed = ''] = parts.slice(names.length + 1);
  const targets = new Map(entriesIn(followed, names).map(({ name, type }) => [name, type]));
  const all = entriesIn(own, names).map((entry): FileEntryDto => ({
    ...entry,
    target: entry.type === 'link' ? (targets.get(entry.name) ?? 'missing') : null,
  }));
  all.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  return { entries: all.slice(0, MAX_ENTRIES), omitted: Math.max(0, all.length - MAX_ENTRIES) };
}

/** @param names of all entries in the order of the output, which leaves out those without properties */
function entriesIn(output: string, names: readonly string[]): Omit<FileEntryDto, 'target'>[] {
  const entries: Omit<FileEntryDto, 'target'>[] = [];
  let at = 0;
  for (const name of names) {
    PROPERTIES.lastIndex = at;
    const [found = '', mode = '', size, seconds = ''] = PROPERTIES.exec(output) ?? [];
    if (found === '' || !output.startsWith(`${name}\n`, at + found.length)) continue;
    at += found.length + name.length + 1;
    if (name === '.' || name === '..') continue;
    const bits = parseInt(mode, 16);
    entries.push({
      name: readName(Buffer.from(name, 'latin1')),
      type: TYPES[bits & TYPE_BITS] ?? 'other',
      size: Number(size),
      mode: (bits & 0o7777).toString(8).padStart(4, '0'),
      modified_at: new Date(signed(seconds) * 1000).toISOString(),
    });
  }
  return entries;
}

function signed(seconds: string): number {
  const value = Number(BigInt.asIntN(64, BigInt(seconds)));
  return Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, value));
}

function rank({ type, target }: FileEntryDto): number {
  return type === 'directory' || target === 'directory' ? 0 : 1;
}
