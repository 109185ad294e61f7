import { Component, inject, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
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
      <button i18n class="btn small end" [disabled]="collecting()" (click)="collect()">
        <sw-icon name="download" />{collecting(), select, true {Collecting} other {Download}}
      </button>
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
          Kubeconfigs, passwords, tokens, private keys, proxy credentials and your home directory. They are
          detected by patterns: review the bundle before you share it.
        </p>
      </div>
    </div>
  `,
  host: { role: 'region', 'aria-labelledby': 'bundle-title' },
})
export class SupportBundle {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  protected readonly collecting = signal(false);

  protected async collect(): Promise<void> {
    this.collecting.set(true);
    await this.toaster.attempt($localize`Could not create the support bundle.`, async () => {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(await this.api.supportBundle(), `slipway-support-${day}.tar.gz`, 'application/gzip');
    });
    this.collecting.set(false);
  }
}
