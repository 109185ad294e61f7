import { Component, computed, inject, input, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { CommandLine } from '../../shared/ui/command-line';
import { CopyButton } from '../../shared/ui/copy-button';
import { Icon } from '../../shared/ui/icon';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { hasKubeconfig } from './cluster-words';

/** What one takes away from a cluster: its kubeconfig, and the logs of its nodes. */
@Component({
  selector: 'sw-cluster-access',
  imports: [CommandLine, CopyButton, Icon],
  template: `
    <section class="panel" aria-labelledby="access-title">
      <div class="panel-head"><h2 id="access-title">Access</h2></div>
      @if (kubeconfig()) {
        <div class="part">
          <h3>Kubeconfig</h3>
          <div class="acts">
            <sw-copy-button [text]="read" name="Copy the kubeconfig" label="Copy" />
            <button type="button" class="btn small" [disabled]="saving()" (click)="save()">
              <sw-icon name="download" />Save
            </button>
          </div>
          <p>
            <sw-icon name="key" [size]="14" />It holds the credentials of the cluster’s administrator: treat
            it as a password.
          </p>
          <sw-command-line [text]="command()" />
        </div>
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
  private readonly api = inject(Api);
  private readonly downloads = inject(ClusterDownloads);
  readonly cluster = input.required<ClusterDto>();

  protected readonly kubeconfig = computed(() => hasKubeconfig(this.cluster()));
  protected readonly offline = computed(() => this.cluster().state === 'unknown');
  protected readonly file = computed(() => `${this.cluster().name}.kubeconfig.yaml`);
  protected readonly command = computed(() => `kubectl --kubeconfig ${this.file()} get nodes`);
  protected readonly saving = signal(false);
  protected readonly collecting = signal(false);
  /** Asked for when it is wanted, so that the page itself never holds credentials. */
  protected readonly read = (): Promise<string> => this.api.kubeconfig(this.cluster());

  protected why(): string {
    const { state } = this.cluster();
    if (state === 'creating') return 'the cluster is still being created.';
    if (state === 'deleting') return 'the cluster is being deleted.';
    return state === 'failed' ? 'the creation did not get that far.' : 'the cluster has no nodes.';
  }

  protected async save(): Promise<void> {
    this.saving.set(true);
    await this.downloads.kubeconfig(this.cluster());
    this.saving.set(false);
  }

  protected async collect(): Promise<void> {
    this.collecting.set(true);
    await this.downloads.nodeLogs(this.cluster());
    this.collecting.set(false);
  }
}
