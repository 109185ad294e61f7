import { commandKey } from '../../shared/palette/palette-key';
import type { ShortcutGroup } from '../../shared/shortcuts/shortcuts-dialog';

export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: $localize`Everywhere`,
    shortcuts: [
      [[`${commandKey()} K`], $localize`Search or jump to`],
      [['?'], $localize`Keyboard shortcuts`],
      [['/'], $localize`Focus the filter`],
      [['Esc'], $localize`Close, or continue a job in the background`],
    ],
  },
  {
    title: $localize`Search`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next result`],
      [['Enter'], $localize`Open or run the result`],
    ],
  },
  {
    title: $localize`Cluster list`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next row`],
      [['Home', 'End'], $localize`First or last row`],
      [['←', '→'], $localize`Move within the row`],
      [['Enter'], $localize`Open the cluster`],
      [['Space'], $localize`Select the row`],
      [['Shift ↑', 'Shift ↓'], $localize`Extend the selection`],
      [['Shift Space'], $localize`Select from the last selected row to this one`],
      [['Ctrl A'], $localize`Select all shown rows`],
      [['Esc'], $localize`Clear the selection`],
    ],
  },
  {
    title: $localize`Resource table`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next row`],
      [['Enter'], $localize`Open the object`],
      [['Space'], $localize`Select the row`],
      [['Ctrl A'], $localize`Select all shown rows`],
      [['d'], $localize`Details, also in the panel`],
      [['l'], $localize`Logs of a Pod or workload, also in the panel`],
      [['s'], $localize`Shell in a Pod or node, also in the panel`],
      [['y', 'e'], $localize`Show and edit the YAML, also in the panel`],
      [['Delete'], $localize`Delete the selected objects, after a question`],
      [['Esc'], $localize`Close the object, or clear the selection`],
    ],
  },
  {
    title: $localize`Shell`,
    shortcuts: [
      [['Ctrl Shift ↑'], $localize`Leave the terminal`],
      [['Ctrl Shift ←', 'Ctrl Shift →'], $localize`Previous or next shell`],
      [['Ctrl Shift C', 'Ctrl Shift V'], $localize`Copy the selection, or paste`],
      [['Ctrl Shift F'], $localize`Search the terminal`],
    ],
  },
  {
    title: $localize`Job list`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next job`],
      [['Enter'], $localize`Show the job`],
    ],
  },
];
