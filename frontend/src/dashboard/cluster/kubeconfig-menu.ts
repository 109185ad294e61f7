import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, input, output } from '@angular/core';
import { Api, clusterKey } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { copyText } from '../../shared/ui/copy-text';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { readKubeconfig } from '../cluster-actions/kubeconfig';

@Component({
  selector: 'sw-kubeconfig-menu',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, UI],
  template: `
    <button class="btn" [cdkMenuTriggerFor]="menu">
      <sw-icon name="key" /><ng-container i18n>Kubeconfig</ng-container><sw-icon name="chevron-down" />
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        <button i18n cdkMenuItem (cdkMenuItemTriggered)="add(false)">
          <sw-icon name="plus" />Add to my kubeconfig
        </button>
        <button i18n cdkMenuItem (cdkMenuItemTriggered)="add(true)">
          <sw-icon name="check" />Add and set as current context
        </button>
        <hr />
        <button i18n cdkMenuItem (cdkMenuItemTriggered)="downloads.kubeconfig(cluster())">
          <sw-icon name="download" />Download
        </button>
        <button i18n cdkMenuItem (cdkMenuItemTriggered)="copyFile()">
          <sw-icon name="copy" />Copy kubeconfig
        </button>
        <button i18n cdkMenuItem (cdkMenuItemTriggered)="copyCommand()">
          <sw-icon name="copy" />Copy kubectl command
        </button>
        <hr />
        <button i18n cdkMenuItem (cdkMenuItemTriggered)="more.emit()">
          <sw-icon name="arrow-down" />All access options
        </button>
      </div>
    </ng-template>
  `,
})
export class KubeconfigMenu {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  protected readonly downloads = inject(ClusterDownloads);
  readonly cluster = input.required<ClusterDto>();
  /** The user's own kubeconfig was changed. */
  readonly merged = output();
  readonly more = output();

  protected async add(setCurrent: boolean): Promise<void> {
    const failure = $localize`Could not add the cluster to your kubeconfig.`;
    await this.toaster.attempt(failure, async () => {
      const { context, file } = await this.api.send(
        'POST /api/v1/clusters/{name}/kubeconfig/merge',
        clusterKey(this.cluster()),
        { set_current: setCurrent },
      );
      this.merged.emit();
      this.toaster.done(
        $localize`Added the context ${context}:context: to ${file}:file:.`,
        setCurrent ? $localize`It is the current context.` : '',
      );
    });
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
