import type { FileEntryDto } from './files.dto.js';
import { FOLLOWED } from './file-programs.js';

/** Entries that are shown of a directory. */
const MAX_ENTRIES = 5000;
const LINE = /^([0-9a-f]{1,8})\/(\d{1,16})\/(\d{1,12})\/(.*)$/;
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
export function readListing(output: string): Listing {
  const [own = '', followed = ''] = output.split(`\n${FOLLOWED}\n`);
  const targets = new Map(entriesIn(followed).map(({ name, type }) => [name, type]));
  const all = entriesIn(own).map((entry): FileEntryDto => ({
    ...entry,
    target: entry.type === 'link' ? (targets.get(entry.name) ?? 'missing') : null,
  }));
  all.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  return { entries: all.slice(0, MAX_ENTRIES), omitted: Math.max(0, all.length - MAX_ENTRIES) };
}

function entriesIn(output: string): Omit<FileEntryDto, 'target'>[] {
  const entries: Omit<FileEntryDto, 'target'>[] = [];
  for (const line of output.split('\n')) {
    const [, mode = '', size, seconds, name = ''] = LINE.exec(line) ?? [];
    // A name with a line break cannot be addressed, and is cut at it.
    if (name === '' || name === '.' || name === '..') continue;
    const bits = parseInt(mode, 16);
    entries.push({
      name,
      type: TYPES[bits & TYPE_BITS] ?? 'other',
      size: Number(size),
      mode: (bits & 0o7777).toString(8).padStart(4, '0'),
      modified_at: new Date(Number(seconds) * 1000).toISOString(),
    });
  }
  return entries;
}

function rank({ type, target }: FileEntryDto): number {
  return type === 'directory' || target === 'directory' ? 0 : 1;
}
