import { Component, computed, inject, input } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto } from '../../shared/api/api-types';
import { changeCount } from '../../shared/live/change-count';
import { ClustersStore } from '../../shared/live/clusters-store';
import { ApiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { Forwarding } from './forwarding';
import { findReach } from './reachable';

/** Kinds that say what leads where. */
const LEADING = ['core/v1/services', 'networking.k8s.io/v1/ingresses'];

/** Where a workload, a Service or an Ingress can be reached from this machine. Empty if nowhere. */
@Component({
  selector: 'sw-object-reachable',
  imports: [UI],
  template: `
    @for (reach of shown(); track reach.address) {
      <p class="flow tight sm">
        <span i18n>Reachable at</span>
        @if (reach.url; as url) {
          <a class="mono anywhere" target="_blank" rel="noopener" [href]="url">{{ url }}</a>
        } @else if (reach.forward; as forward) {
          @if (forward.url) {
            <button
              data-writes
              class="link mono"
              title="Open in a new window"
              i18n-title
              (click)="forwarding.open(key(), forward)"
            >
              {{ reach.address }}
            </button>
          } @else {
            <span class="mono">{{ reach.address }}</span>
          }
        }
        <sw-copy-button [text]="reach.address" name="Copy {{ reach.address }}" i18n-name />
      </p>
    }
  `,
  host: { '[hidden]': 'shown().length === 0' },
})
export class ObjectReachable {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  protected readonly forwarding = inject(Forwarding);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  /** Of a Pod. */
  readonly labels = input<Readonly<Record<string, string>>>({});
  /** Optional: the other details show even if it fails. */
  private readonly read = new ApiResource(
    async ({ key, object, labels }, signal) => {
      const ports = this.clusters.find(key.name, key.runtime)?.ports ?? [];
      return { uid: object.uid, reach: await findReach(this.api, { ...key, ports }, object, labels, signal) };
    },
    () => ({ key: this.key(), object: this.object(), labels: this.labels() }),
    {
      reloadOn: changeCount(() => {
        const { runtime, name } = this.key();
        // Each start and stop of a port-forward is an entry of the journal.
        return ['journal', ...LEADING.map((kind) => `resources:${runtime}/${name}/${kind}` as const)];
      }),
    },
  );
  /** The last one of this object stays while it is read again. */
  protected readonly shown = computed(() => {
    const read = this.read.value();
    return read?.uid === this.object().uid ? read.reach : [];
  });
}
