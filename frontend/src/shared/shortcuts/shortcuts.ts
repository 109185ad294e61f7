import { inject, InjectionToken, Service } from '@angular/core';
import { loadPart } from '../loading/load-part';
import { Dialogs } from '../ui/dialogs';
import type { ShortcutGroup } from './shortcuts-dialog';

/** Loads the shortcuts of the application. */
export const SHORTCUTS = new InjectionToken<() => Promise<readonly ShortcutGroup[]>>('SHORTCUTS');

@Service()
export class Shortcuts {
  private readonly dialogs = inject(Dialogs);
  private readonly load = inject(SHORTCUTS);

  async open(): Promise<void> {
    const [groups, { ShortcutsDialog }] = await loadPart(() =>
      Promise.all([this.load(), import('./shortcuts-dialog')]),
    );
    if (this.dialogs.areOpen) return;
    await this.dialogs.open(() => Promise.resolve(ShortcutsDialog), { data: groups, width: '560px' });
  }
}
