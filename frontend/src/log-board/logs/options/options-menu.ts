import { Component, computed, inject, input, output } from '@angular/core';
import type { Download } from '../../../shared/search/export-lines';
import { ViewOptions } from '../../../shared/lines/view-options';
import { SessionRights } from '../../../shared/session/may-change';
import { type ViewAction, ViewMenu, type ViewSwitch } from '../../../shared/search/view-menu';

@Component({
  selector: 'sw-options-menu',
  imports: [ViewMenu],
  template: `<sw-view-menu [switches]="switches()" [actions]="groups()" />`,
})
export class OptionsMenu {
  private readonly options = inject(ViewOptions);
  private readonly rights = inject(SessionRights);
  readonly downloadable = input(false);
  /** Why lines cannot be shown side by side; null if they can. */
  readonly merged = input<string | null>(null);
  readonly download = output<Download>();
  readonly share = output();
  readonly alert = output();
  readonly highlight = output();

  protected readonly switches = computed<ViewSwitch[]>(() => [
    { text: $localize`Wrap long lines`, value: this.options.wrap },
    { text: $localize`Raw lines`, value: this.options.raw },
    { text: $localize`Side by side`, value: this.options.columns, reason: this.merged() },
    { text: $localize`Line histogram`, value: this.options.histogram },
  ]);
  private readonly actions = computed<ViewAction[]>(() => [
    { text: $localize`Copy link to this search`, icon: 'link', run: () => this.share.emit() },
    ...(this.rights.mayChange()
      ? [
          {
            text: $localize`Create alert from this search …`,
            icon: 'warning' as const,
            run: () => this.alert.emit(),
          },
        ]
      : []),
    { text: $localize`Highlight rules …`, icon: 'eye', run: () => this.highlight.emit() },
  ]);
  private readonly files = [
    this.file($localize`Download as text`, { format: 'text', gzip: false }),
    this.file($localize`Download as text (gzip)`, { format: 'text', gzip: true }),
    this.file($localize`Download as NDJSON`, { format: 'ndjson', gzip: false }),
    this.file($localize`Download as NDJSON (gzip)`, { format: 'ndjson', gzip: true }),
  ];
  protected readonly groups = computed(() =>
    this.downloadable() ? [this.actions(), this.files] : [this.actions()],
  );

  private file(text: string, download: Download): ViewAction {
    return { text, icon: 'download', run: () => this.download.emit(download) };
  }
}
