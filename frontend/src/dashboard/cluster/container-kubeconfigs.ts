import { Component, computed, inject, input } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { StatsStore } from '../../shared/live/stats-store';
import { CommandLine } from '../../shared/ui/command-line';
import { containerCommand } from './access-commands';
import { engineOf } from './cluster-labels';
import { KubeconfigFile } from './kubeconfig-file';

@Component({
  selector: 'sw-container-kubeconfigs',
  imports: [CommandLine, KubeconfigFile],
  template: `
    <div class="part" role="group" aria-labelledby="network-title">
      <h4 i18n class="sm medium" id="network-title">Cluster network</h4>
      <sw-kubeconfig-file [cluster]="cluster()" variant="network" />
      <p i18n>For containers that can join the <code>kind</code> network.</p>
      <sw-command-line [text]="network()" />
    </div>
    @if (alias(); as alias) {
      <div class="part" role="group" aria-labelledby="host-title">
        <h4 i18n class="sm medium" id="host-title">Through the host</h4>
        <sw-kubeconfig-file [cluster]="cluster()" variant="host" />
        <p i18n>
          For containers in other networks. If the engine runs in a virtual machine, they reach the host as
          <code>{{ alias }}</code>. On Linux, the API server listens on loopback, so they also need the host
          network:
        </p>
        <sw-command-line [text]="host()" />
      </div>
    }
  `,
  styleUrl: './cluster-access.scss',
})
export class ContainerKubeconfigs {
  private readonly stats = inject(StatsStore);
  readonly cluster = input.required<ClusterDto>();

  protected readonly alias = computed(
    () => engineOf(this.stats.stats(), this.cluster().runtime)?.host_alias ?? null,
  );
  protected readonly network = computed(() => containerCommand(this.cluster(), 'network', null));
  protected readonly host = computed(() => containerCommand(this.cluster(), 'host', this.alias()));

  constructor() {
    this.stats.live.watch();
  }
}
