import { Component, inject, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { BundleContentDto } from '../../shared/api/api-types';
import { Icon } from '../../shared/ui/icon';
import { saveFile } from '../../shared/ui/save-file';
import { Toaster } from '../../shared/ui/toaster';
import { PlainButton } from '../../shared/ui/plain-button';

@Component({
  selector: 'sw-support-bundle',
  imports: [Icon, PlainButton],
  template: `
    <div class="panel-head">
      <h2 i18n id="bundle-title">Support bundle</h2>
      <button data-writes i18n class="btn small end" [disabled]="busy()" (click)="show()">
        {busy(), select, true {Collecting} other {Show content}}
      </button>
      @if (files().length > 0) {
        <button data-writes i18n class="btn small" [disabled]="busy()" (click)="save()">
          <sw-icon name="download" />Download
        </button>
      }
    </div>
    <div class="cols-2 panel-body sm">
      <div>
        <h3 i18n class="sm">Included</h3>
        <p i18n class="soft">
          These checks, versions and configuration; clusters with their configs and provision logs; recent
          jobs with their logs; the journal and the end of the server log.
        </p>
      </div>
      <div>
        <h3 i18n class="sm">Not included</h3>
        <p i18n class="soft">
          Kubeconfigs, passwords, tokens, private keys, proxy credentials and your home directory. Of configs,
          only known harmless values are kept. Logs are free text: review the content before you share it.
        </p>
      </div>
    </div>
    @if (files().length > 0) {
      <div class="panel-body sm">
        @for (file of files(); track file.path) {
          <details class="disclosure">
            <summary>
              {{ file.path }}
              @if (file.replaced > 0) {
                <span i18n class="muted">
                  {file.replaced, plural, =1 {1 value replaced} other {{{ file.replaced }} values replaced}}
                </span>
              }
            </summary>
            <pre>{{ file.text }}</pre>
          </details>
        }
      </div>
    }
  `,
  host: { role: 'region', 'aria-labelledby': 'bundle-title' },
})
export class SupportBundle {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  protected readonly busy = signal(false);
  protected readonly files = signal<BundleContentDto['files']>([]);

  protected async show(): Promise<void> {
    await this.attempt(async () =>
      this.files.set((await this.api.get('/api/v1/diagnostics/bundle/content')).files),
    );
  }

  protected async save(): Promise<void> {
    await this.attempt(async () => {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(
        await this.api.file('/api/v1/diagnostics/bundle', { shown: true }),
        `slipway-support-${day}.tar.gz`,
        'application/gzip',
      );
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.busy.set(true);
    await this.toaster.attempt($localize`Could not create the support bundle.`, work);
    this.busy.set(false);
  }
}
