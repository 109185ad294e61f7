import { Component, computed, inject, input, signal } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { CommandLine } from '../../shared/ui/command-line';
import { Icon } from '../../shared/ui/icon';
import { hasKubeconfig } from '../cluster-actions/available-actions';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { machineCommand } from './access-commands';
import { ContainerKubeconfigs } from './container-kubeconfigs';
import { KubeconfigFile } from './kubeconfig-file';
import { TerminalKubeconfig } from './terminal-kubeconfig';

/** What one takes away from a cluster: kubeconfigs for every place that one works in, and the logs of its nodes. */
@Component({
  selector: 'sw-cluster-access',
  imports: [CommandLine, ContainerKubeconfigs, Icon, KubeconfigFile, TerminalKubeconfig],
  template: `
    <section class="panel" aria-labelledby="access-title">
      <div class="panel-head"><h2 id="access-title">Access</h2></div>
      @if (kubeconfig()) {
        <div class="part">
          <p>
            <sw-icon name="key" [size]="14" />Every kubeconfig holds the credentials of the cluster’s
            administrator: treat it as a password.
          </p>
        </div>
        <section class="part" aria-labelledby="machine-title">
          <h3 id="machine-title">For this machine</h3>
          <sw-kubeconfig-file [cluster]="cluster()" />
          <p>A file of its own, for a program that is told which one to use.</p>
          <sw-command-line [text]="command()" />
        </section>
        <section class="part" aria-labelledby="terminal-title">
          <h3 id="terminal-title">For the terminal</h3>
          <sw-terminal-kubeconfig [cluster]="cluster()" [stamp]="stamp()" />
        </section>
        <section class="part" aria-labelledby="containers-title">
          <h3 id="containers-title">For containers</h3>
          <sw-container-kubeconfigs [cluster]="cluster()" />
        </section>
      } @else {
        <div class="part">
          <h3>Kubeconfig</h3>
          <p>There is none: {{ why() }}</p>
        </div>
      }
      @if (cluster().nodes.length > 0) {
        <div class="part">
          <h3>Logs of the nodes</h3>
          <div class="acts">
            <button
              type="button"
              class="btn small"
              [disabled]="collecting() || offline()"
              (click)="collect()"
            >
              <sw-icon name="download" />{{ collecting() ? 'Collecting' : 'Save' }}
            </button>
          </div>
          <p>
            What the kubelet, containerd and the system of each node said, as a gzipped archive. Collecting
            takes some seconds a node.
          </p>
        </div>
      }
    </section>
  `,
  styleUrl: './cluster-access.scss',
})
export class ClusterAccess {
  private readonly downloads = inject(ClusterDownloads);
  readonly cluster = input.required<ClusterDto>();

  protected readonly kubeconfig = computed(() => hasKubeconfig(this.cluster()));
  protected readonly offline = computed(() => this.cluster().state === 'unknown');
  protected readonly command = computed(() => machineCommand(this.cluster()));
  protected readonly collecting = signal(false);
  protected readonly stamp = computed(() => `${this.cluster().state} ${this.cluster().api_server ?? ''}`);

  protected why(): string {
    const { state } = this.cluster();
    if (state === 'creating') return 'the cluster is still being created.';
    if (state === 'deleting') return 'the cluster is being deleted.';
    return state === 'failed' ? 'the creation did not get that far.' : 'the cluster has no nodes.';
  }

  protected async collect(): Promise<void> {
    this.collecting.set(true);
    await this.downloads.nodeLogs(this.cluster());
    this.collecting.set(false);
  }
}
