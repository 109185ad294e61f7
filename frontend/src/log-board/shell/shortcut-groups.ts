import { commandKey } from '../../shared/palette/palette-key';
import type { ShortcutGroup } from '../../shared/shortcuts/shortcuts-dialog';

export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: $localize`Everywhere`,
    shortcuts: [
      [[`${commandKey()} K`], $localize`Search or jump to`],
      [['?'], $localize`Keyboard shortcuts`],
      [['/'], $localize`Go to search`],
      [['Esc'], $localize`Close, or go from search to lines`],
    ],
  },
  {
    title: $localize`Lines`,
    shortcuts: [
      [['N', 'Shift N'], $localize`Next or previous match`],
      [['E', 'Shift E'], $localize`Next or previous error`],
      [['F'], $localize`Follow new lines on or off`],
      [['G'], $localize`Go to a time`],
      [['W'], $localize`Wrap long lines`],
      [['↑', '↓', 'Page ↑', 'Page ↓'], $localize`Move by line or page`],
      [['Home', 'End'], $localize`Go to the oldest or newest line`],
      [['Shift ↑', 'Shift ↓'], $localize`Select several lines`],
      [['Ctrl C'], $localize`Copy selected lines`],
      [['Enter'], $localize`Open a line or load skipped lines`],
    ],
  },
  {
    title: $localize`Sources`,
    shortcuts: [
      [['Enter'], $localize`Select only this source`],
      [['Space'], $localize`Select or clear the source`],
      [['A', '…', 'Z'], $localize`Go to the next name with this first letter`],
      [['Shift F10'], $localize`Open the menu`],
    ],
  },
];
