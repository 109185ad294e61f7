import { Component, computed, inject, input, signal } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { hasKubeconfig } from '../cluster-actions/available-actions';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { machineCommand } from './access-commands';
import { ContainerKubeconfigs } from './container-kubeconfigs';
import { KubeconfigFile } from './kubeconfig-file';
import { TerminalKubeconfig } from './terminal-kubeconfig';

@Component({
  selector: 'sw-cluster-access',
  imports: [ContainerKubeconfigs, KubeconfigFile, TerminalKubeconfig, UI],
  template: `
    <section class="panel" aria-labelledby="access-title">
      <div class="panel-head"><h2 i18n id="access-title">Access</h2></div>
      @if (kubeconfig()) {
        <p i18n class="panel-note">
          <sw-icon name="key" [size]="14" />Each kubeconfig contains cluster-admin credentials. Treat it like
          a password.
        </p>
        <section class="part" aria-labelledby="machine-title">
          <h3 i18n class="sm medium" id="machine-title">Kubeconfig file</h3>
          <sw-kubeconfig-file [cluster]="cluster()" />
          <p i18n>For programs on this host that take a kubeconfig path.</p>
          <sw-command-line [text]="command()" />
        </section>
        <section class="part" aria-labelledby="terminal-title">
          <h3 i18n class="sm medium" id="terminal-title">Terminal</h3>
          <sw-terminal-kubeconfig [cluster]="cluster()" [stamp]="stamp()" />
        </section>
        <section class="part" aria-labelledby="containers-title">
          <h3 i18n class="sm medium" id="containers-title">Containers</h3>
          <sw-container-kubeconfigs [cluster]="cluster()" />
        </section>
      } @else {
        <section class="part">
          <h3 i18n class="sm medium">Kubeconfig</h3>
          <p>{{ reason() }}</p>
        </section>
      }
      @if (cluster().nodes.length > 0) {
        <section class="part">
          <h3 i18n class="sm medium">Node logs</h3>
          <button
            i18n
            class="btn small side"
            [disabled]="collecting() || cluster().state === 'unknown'"
            (click)="collect()"
          >
            <sw-icon name="download" />{collecting(), select, true {Collecting …} other {Download}}
          </button>
          <p i18n>
            Logs of the kubelet, containerd and the system of each node, as a gzipped archive. Collecting
            takes a few seconds per node.
          </p>
        </section>
      }
    </section>
  `,
  styleUrl: './cluster-access.scss',
})
export class ClusterAccess {
  private readonly downloads = inject(ClusterDownloads);
  readonly cluster = input.required<ClusterDto>();
  /** Grows when the user's own kubeconfig was changed elsewhere on the page. */
  readonly changes = input(0);

  protected readonly kubeconfig = computed(() => hasKubeconfig(this.cluster()));
  protected readonly command = computed(() => machineCommand(this.cluster()));
  protected readonly collecting = signal(false);
  protected readonly stamp = computed(
    () => `${this.cluster().state} ${this.cluster().api_server ?? ''} ${this.changes()}`,
  );

  protected reason(): string {
    switch (this.cluster().state) {
      case 'creating':
        return $localize`Not available while the cluster is being created.`;
      case 'deleting':
        return $localize`Not available while the cluster is being deleted.`;
      default:
        return $localize`Not available: the cluster has no running control plane.`;
    }
  }

  protected async collect(): Promise<void> {
    this.collecting.set(true);
    await this.downloads.nodeLogs(this.cluster());
    this.collecting.set(false);
  }
}
