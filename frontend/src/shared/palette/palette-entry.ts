import type { IconName } from '../ui/icon';

/** Groups of entries, in the order of groups that match equally well. */
export const ENTRY_GROUPS = [
  'here',
  'clusters',
  'pages',
  'actions',
  'kinds',
  'names',
  'sources',
  'saved',
] as const;
export type EntryGroup = (typeof ENTRY_GROUPS)[number];

export interface PaletteEntry {
  /** Stable across rebuilds of the entries. */
  id: string;
  group: EntryGroup;
  icon: IconName;
  text: string;
  /** Shown beside the text, and searched too: location, state. */
  detail: string;
  words?: string;
  /** Hidden until something is typed, because there would be too many. */
  searchOnly?: boolean;
  /** Found by the server, which ranks these entries by their order. */
  found?: boolean;
  run: () => unknown;
}
