import { Component, computed, inject, input } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { StatsStore } from '../../shared/live/stats-store';
import { CommandLine } from '../../shared/ui/command-line';
import { containerCommand } from './access-commands';
import { engineOf } from './cluster-words';
import { KubeconfigFile } from './kubeconfig-file';

/** The two kubeconfigs for use inside containers, and which of them fits where. */
@Component({
  selector: 'sw-container-kubeconfigs',
  imports: [CommandLine, KubeconfigFile],
  template: `
    <div class="way" role="group" aria-labelledby="network-title">
      <h4 id="network-title">On the cluster’s network</h4>
      <sw-kubeconfig-file [cluster]="cluster()" variant="network" />
      <p>Fits every container that can join the network <code>kind</code>, on any machine.</p>
      <sw-command-line [text]="network()" />
    </div>
    @if (alias(); as alias) {
      <div class="way" role="group" aria-labelledby="host-title">
        <h4 id="host-title">Through this machine</h4>
        <sw-kubeconfig-file [cluster]="cluster()" variant="host" />
        <p>
          Fits containers that have to stay on a network of their own, where the engine runs in a virtual
          machine: they know this machine as <code>{{ alias }}</code> by themselves. On Linux the API listens
          on loopback alone, so a container needs the machine’s network too:
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
