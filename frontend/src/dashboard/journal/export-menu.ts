import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, input, signal } from '@angular/core';
import { HttpClient } from '@angular/common/http';
import { apiUrl } from '../../shared/api/api';
import { fileTimestamp, wholeFile } from '../../shared/api/whole-file';
import { Icon } from '../../shared/ui/icon';
import { saveFile } from '../../shared/ui/save-file';
import { Toaster } from '../../shared/ui/toaster';
import { type JournalView, toExport } from './journal-address';
import { PlainButton } from '../../shared/ui/plain-button';

const INCOMPLETE = $localize`The download was incomplete and was discarded. Try again, or choose a shorter period.`;

const FORMATS = { ndjson: 'NDJSON', csv: 'CSV' } as const;

@Component({
  selector: 'sw-export-menu',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, Icon, PlainButton],
  template: `
    <button i18n class="btn" [disabled]="exporting()" [cdkMenuTriggerFor]="menu">
      <sw-icon name="download" />{exporting(), select, true {Exporting …} other {Export}}
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @for (format of formats; track format) {
          <button i18n cdkMenuItem (cdkMenuItemTriggered)="save(format)">
            Export as {{ names[format] }}
          </button>
        }
      </div>
    </ng-template>
  `,
})
export class ExportMenu {
  private readonly http = inject(HttpClient);
  private readonly toaster = inject(Toaster);
  readonly view = input.required<JournalView>();
  protected readonly exporting = signal(false);
  protected readonly names = FORMATS;
  protected readonly formats = ['ndjson', 'csv'] as const;

  protected async save(format: keyof typeof FORMATS): Promise<void> {
    this.exporting.set(true);
    await this.toaster.attempt($localize`Could not export the journal.`, async () => {
      const url = apiUrl('/api/v1/journal/export', { format, ...toExport(this.view()) });
      const file = await wholeFile(this.http, url, INCOMPLETE);
      saveFile(file, `slipway-journal-${fileTimestamp()}.${format}`, file.type);
    });
    this.exporting.set(false);
  }
}
