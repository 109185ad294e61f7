import { CdkMenu, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, input, output } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { copyText } from '../../shared/ui/copy-text';
import { MenuItem } from '../../shared/ui/menu-item';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { readKubeconfig } from '../cluster-actions/kubeconfig';
import { OwnKubeconfig } from '../cluster-actions/own-kubeconfig';

@Component({
  selector: 'sw-kubeconfig-menu',
  imports: [CdkMenu, CdkMenuTrigger, MenuItem, UI],
  template: `
    <button class="btn" [cdkMenuTriggerFor]="menu">
      <sw-icon name="key" /><ng-container i18n>Kubeconfig</ng-container><sw-icon name="chevron-down" />
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        <button data-writes i18n swMenuItem="plus" (chosen)="add(false)">Add to my kubeconfig</button>
        <button data-writes i18n swMenuItem="check" (chosen)="add(true)">
          Add and set as current context
        </button>
        <hr />
        <button data-writes i18n swMenuItem="download" (chosen)="downloads.kubeconfig(cluster())">
          Download
        </button>
        <button data-writes i18n swMenuItem="copy" (chosen)="copyFile()">Copy kubeconfig</button>
        <button i18n swMenuItem="copy" (chosen)="copyCommand()">Copy kubectl command</button>
        <hr />
        <button i18n swMenuItem="key" (chosen)="more.emit()">All access options</button>
      </div>
    </ng-template>
  `,
})
export class KubeconfigMenu {
  private readonly api = inject(Api);
  private readonly own = inject(OwnKubeconfig);
  private readonly toaster = inject(Toaster);
  protected readonly downloads = inject(ClusterDownloads);
  readonly cluster = input.required<ClusterDto>();
  /** The user's own kubeconfig was changed. */
  readonly merged = output();
  readonly more = output();

  protected async add(setCurrent: boolean): Promise<void> {
    if (await this.own.add(this.cluster(), setCurrent)) this.merged.emit();
  }

  protected copyFile(): Promise<void> {
    return this.copy($localize`Copied the kubeconfig.`, () =>
      readKubeconfig(this.api, this.cluster(), 'machine'),
    );
  }

  protected copyCommand(): Promise<void> {
    // As kind names contexts.
    const command = `kubectl --context kind-${this.cluster().name} get nodes`;
    return this.copy($localize`Copied: ${command}:command:`, () => Promise.resolve(command));
  }

  private async copy(done: string, read: () => Promise<string>): Promise<void> {
    await this.toaster.attempt($localize`Could not copy`, async () => {
      await copyText(await read());
      this.toaster.done(done);
    });
  }
}
