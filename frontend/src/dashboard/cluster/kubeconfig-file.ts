import { Component, inject, input, signal } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { UI } from '../../shared/ui/ui';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { type KubeconfigVariant, readKubeconfig } from '../cluster-actions/kubeconfig';

/** Buttons that copy and download a kubeconfig. It is loaded on click, so the page never contains credentials. */
@Component({
  selector: 'sw-kubeconfig-file',
  imports: [UI],
  template: `
    <sw-copy-button [text]="read" name="Copy kubeconfig" i18n-name label="Copy" i18n-label />
    <button data-writes class="btn small" [disabled]="saving()" (click)="save()" i18n>
      <sw-icon name="download" />Download
    </button>
  `,
  host: { class: 'flow tight' },
})
export class KubeconfigFile {
  private readonly api = inject(Api);
  private readonly downloads = inject(ClusterDownloads);
  readonly cluster = input.required<ClusterKey>();
  readonly variant = input<KubeconfigVariant>('machine');
  protected readonly saving = signal(false);
  protected readonly read = (): Promise<string> => readKubeconfig(this.api, this.cluster(), this.variant());

  protected async save(): Promise<void> {
    this.saving.set(true);
    await this.downloads.kubeconfig(this.cluster(), this.variant());
    this.saving.set(false);
  }
}
