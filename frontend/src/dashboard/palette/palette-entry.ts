import type { IconName } from '../../shared/ui/icon';

/** What stands together, in the order in which groups stand that fit equally well. */
export const ENTRY_GROUPS = ['here', 'clusters', 'pages', 'actions', 'kinds', 'names'] as const;
export type EntryGroup = (typeof ENTRY_GROUPS)[number];

/** Something that one can go to or do. */
export interface PaletteEntry {
  /** The same for the same thing each time the entries are made. */
  id: string;
  group: EntryGroup;
  icon: IconName;
  text: string;
  /** Beside the text: where it is, how it stands. Found by too. */
  detail: string;
  /** Further words by which one may look for it. */
  words?: string;
  /** Not offered before something is typed: there would be too many. */
  whenAsked?: boolean;
  /** The server found it by what is typed, and says how well it fits by its place among the others. */
  found?: boolean;
  run: () => unknown;
}
