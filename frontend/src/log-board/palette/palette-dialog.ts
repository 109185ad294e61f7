import { Component, computed, inject, signal } from '@angular/core';
import type { LogSourceDto } from '../../shared/api/api-types';
import { CommonEntries, type PageRow } from '../../shared/palette/common-entries';
import type { PaletteEntry } from '../../shared/palette/palette-entry';
import { PaletteView } from '../../shared/palette/palette-view';
import { apiResource } from '../../shared/loading/api-resource';
import { LogSources } from '../logs/sources/log-sources';
import { fullName, stateLabel } from '../search-model/source-names';

const PAGES: readonly PageRow[] = [
  ['/logs', 'logs', $localize`Logs`, 'lines live home'],
  ['/saved-searches', 'search', $localize`Saved searches`, 'queries'],
  ['/alerts', 'warning', $localize`Alerts`, 'notifications webhooks'],
  ['/storage', 'database', $localize`Storage`, 'disk space retention'],
];
const DASHBOARD: PageRow = ['/dashboard', 'layers', $localize`Clusters`, 'dashboard slipway'];

/** Command palette of the log board: finds pages, sources, saved searches and actions, or searches all lines. */
@Component({
  selector: 'sw-palette-dialog',
  imports: [PaletteView],
  template: `
    <sw-palette-view
      prompt="Page, source, saved search, or text to search for"
      i18n-prompt
      [entries]="entries()"
      [titles]="titles"
      [(query)]="query"
      [notes]="notes()"
    />
  `,
})
export class PaletteDialog {
  private readonly common = inject(CommonEntries);
  private readonly sources = inject(LogSources);
  private readonly saved = apiResource('/api/saved-searches', undefined, { refresh: {} });
  protected readonly query = signal('');
  protected readonly titles = {
    here: $localize`Search`,
    sources: $localize`Sources`,
    saved: $localize`Saved searches`,
    pages: $localize`Pages`,
    actions: $localize`Actions`,
  };
  protected readonly entries = computed<readonly PaletteEntry[]>(() => [
    ...this.searchFor(this.query().trim()),
    ...this.sources.all().map((source) => this.ofSource(source)),
    ...(this.saved.value() ?? []).map(({ id, name, query }) => ({
      id: `saved ${id}`,
      group: 'saved' as const,
      icon: 'search' as const,
      text: name,
      detail: '',
      run: () => this.common.go(`/logs?${query}`),
    })),
    ...this.common.pages(PAGES, DASHBOARD),
    ...this.common.actions(),
  ]);
  protected readonly notes = computed(() => {
    const problem = this.saved.problem();
    return problem ? [$localize`Saved searches are missing. ${problem.message}:reason:`] : [];
  });

  private searchFor(text: string): PaletteEntry[] {
    if (text === '') return [];
    const query = new URLSearchParams({ q: text }).toString();
    return [
      {
        id: 'search',
        group: 'here',
        icon: 'search',
        text: $localize`Search all logs for “${text}:text:”`,
        detail: '',
        found: true,
        run: () => this.common.go(`/logs?${query}`),
      },
    ];
  }

  private ofSource(source: LogSourceDto): PaletteEntry {
    const query = new URLSearchParams({ sources: source.key }).toString();
    return {
      id: `source ${source.key}`,
      group: 'sources',
      icon: 'logs',
      text: fullName(source),
      detail: stateLabel(source),
      searchOnly: true,
      run: () => this.common.go(`/logs?${query}`),
    };
  }
}
