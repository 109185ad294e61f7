import { Component, inject, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import { Icon } from '../../shared/ui/icon';
import { saveFile } from '../../shared/ui/save-file';
import { Toaster } from '../../shared/ui/toaster';

/** Downloads the support bundle, and lists what it contains. */
@Component({
  selector: 'sw-support-bundle',
  imports: [Icon],
  template: `
    <section class="panel" aria-labelledby="bundle-title">
      <div class="panel-head">
        <h2 i18n id="bundle-title">Support bundle</h2>
        <button i18n type="button" class="btn small" [disabled]="collecting()" (click)="collect()">
          <sw-icon name="download" />{collecting(), select, true {Collecting} other {Download}}
        </button>
      </div>
      <div class="lists">
        <div>
          <h3 i18n>Included</h3>
          <p i18n>
            These checks, versions and configuration; clusters with their configs and provision logs; recent
            jobs with their logs; the journal and the end of the server log.
          </p>
        </div>
        <div>
          <h3 i18n>Not included</h3>
          <p i18n>
            Kubeconfigs, passwords, tokens, private keys, proxy credentials and your home directory. They are
            detected by patterns: review the bundle before you share it.
          </p>
        </div>
      </div>
    </section>
  `,
  styles: `
    :host {
      display: block;
      margin-top: 16px;
    }
    .panel-head button {
      margin-left: auto;
    }
    .lists {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 8px 32px;
      padding: 0 16px 14px;
      font-size: var(--fs-sm);
    }
    h3 {
      font-size: var(--fs-sm);
    }
    p {
      color: var(--text-2);
    }
    @media (width <= 720px) {
      .lists {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `,
})
export class SupportBundle {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  protected readonly collecting = signal(false);

  protected async collect(): Promise<void> {
    this.collecting.set(true);
    try {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(await this.api.supportBundle(), `slipway-support-${day}.tar.gz`, 'application/gzip');
    } catch (error) {
      this.toaster.problem(error, $localize`Could not create the support bundle.`);
    }
    this.collecting.set(false);
  }
}
