import { Component, computed, inject, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { ClustersStore } from '../../shared/live/clusters-store';
import { ColorMark } from '../../shared/ui/color-mark';
import { Raw } from '../../shared/ui/raw';
import { changesOff, isExternal } from './external-labels';

/** On top of a dialog about a change in an external cluster: where it happens. */
@Component({
  selector: 'sw-changed-cluster',
  imports: [ColorMark, Raw],
  template: `
    @if (shown(); as cluster) {
      <sw-color-mark [color]="cluster.external.color" />
      <b class="medium anywhere">{{ cluster.name }}</b>
      <span class="muted cut">{{ cluster.external.server | swRaw }}</span>
      @if (off()) {
        <span class="warning-text nowrap" role="status">{{ reason() }}</span>
      }
    }
  `,
  styles: `
    /* More specific than the rule of the dialog for its parts. */
    :host.strip.strip {
      flex: none;
      flex-flow: row wrap;
      gap: 4px 8px;
      align-items: center;
      padding: 8px 24px;
      border-top: 4px solid;
      background: var(--sunken);
      font-size: var(--fs-sm);
    }
    .warning-text {
      white-space: normal;
    }
  `,
  host: {
    class: 'strip',
    '[style.border-color]': '"var(--cluster-" + shown()?.external?.color + ")"',
    '[attr.data-changes-off]': 'off() ? "" : null',
  },
})
export class ChangedCluster {
  private readonly clusters = inject(ClustersStore);
  readonly of = input.required<ClusterKey>();
  protected readonly shown = computed(() => {
    const cluster = this.clusters.find(this.of().name, this.of().runtime);
    return isExternal(cluster) ? cluster : undefined;
  });
  protected readonly off = computed(() => this.shown()?.external.changes_allowed === false);
  protected readonly reason = computed(() => `${changesOff(this.of().name)}.`);
}
