import type { IconName } from '../ui/icon';
import type { ShownState } from '../ui/state-styles';

/** Groups of entries, in the order of groups that match equally well. */
export const ENTRY_GROUPS = [
  'favorites',
  'recent',
  'here',
  'clusters',
  'problems',
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
  /** Shown instead of the icon. The detail has its word. */
  state?: ShownState;
  text: string;
  /** Shown beside the text, and searched too: location, state. */
  detail: string;
  words?: string;
  /** Hidden until something is typed, because there would be too many. */
  searchOnly?: boolean;
  /** Found by the server, which ranks these entries by their order. */
  found?: boolean;
  /** Disabled while the server does not respond. */
  needsServer?: boolean;
  /** Why the user has no right to it, which disables it. */
  denied?: string;
  run: () => unknown;
}
