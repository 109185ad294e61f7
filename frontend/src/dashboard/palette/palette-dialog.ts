import { Component, computed, inject } from '@angular/core';
import { PaletteView } from '../../shared/palette/palette-view';
import { NameSearch } from './name-search';
import { PaletteEntries } from './palette-entries';

/** Command palette of the dashboard: finds pages, clusters, actions and objects. */
@Component({
  selector: 'sw-palette-dialog',
  imports: [PaletteView],
  providers: [PaletteEntries, NameSearch],
  template: `
    <sw-palette-view
      prompt="Page, cluster, action or object name"
      i18n-prompt
      [entries]="entries()"
      [titles]="titles()"
      [(query)]="search.text"
      [busy]="search.busy() ? searching : ''"
      [notes]="notes()"
    />
  `,
})
export class PaletteDialog {
  private readonly available = inject(PaletteEntries);
  protected readonly search = inject(NameSearch);
  protected readonly searching = $localize`Searching clusters`;
  protected readonly entries = computed(() => [
    // The search finds them, too.
    ...(this.search.text().trim() === '' ? this.available.kept() : []),
    ...this.available.entries(),
    ...this.search.shellEntries(),
    ...this.search.entries(),
  ]);
  protected readonly notes = computed(() => [...this.available.notes(), ...this.search.notes()]);
  protected readonly titles = computed(() => {
    const here = this.available.here()?.name ?? '';
    return {
      favorites: $localize`Favorites`,
      recent: $localize`Recently opened`,
      here,
      kinds: $localize`Resources of ${here}:cluster:`,
      problems: $localize`What is wrong`,
      clusters: $localize`Clusters`,
      pages: $localize`Pages`,
      actions: $localize`Actions`,
      names: $localize`Objects`,
    };
  });
}
