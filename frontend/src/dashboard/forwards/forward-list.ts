import { Component, computed, inject, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ForwardDto } from '../../shared/api/api-types';
import { formatBytes, formatList, plural } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import type { ShownState } from '../../shared/ui/state-styles';
import { UI } from '../../shared/ui/ui';
import { objectPage } from '../resource-model/resource-address';
import { Forwarding } from './forwarding';
import { groupOf } from './target-ports';

const POLL_MS = 2000;

const STATES: Readonly<Record<ForwardDto['state'], ShownState>> = {
  ready: 'ok',
  waiting: 'warning',
  failed: 'failed',
};

/** All port-forwards of a cluster, with their traffic. */
@Component({
  selector: 'sw-forward-list',
  imports: [UI],
  template: `
    <section class="panel" aria-labelledby="forwards-title">
      <div class="panel-head">
        <h2 i18n id="forwards-title">Port-forwards</h2>
        <span class="n">{{ forwards()?.length }}</span>
      </div>
      @if (notice(); as text) {
        <p class="panel-note">{{ text }}</p>
      }
      @if (forwards(); as forwards) {
        <sw-load-notice [of]="read" />
        <ul class="row-list" aria-label="Port-forwards" i18n-aria-label>
          @for (forward of forwards; track forward.id) {
            <li>
              <sw-state [state]="states[forward.state]" [silent]="true" />
              <div class="fill">
                <div class="flow tight">
                  <span class="mono nowrap">{{ forward.local_address }}</span>
                  <sw-copy-button
                    [text]="forward.local_address"
                    name="Copy {{ forward.local_address }}"
                    i18n-name
                  />
                  <span i18n class="muted">to</span>
                  <a class="mono anywhere" [swLink]="pageOf(forward)"
                    >{{ forward.namespace | swRaw }}/{{ forward.object | swRaw }}</a
                  >
                  <span i18n class="nowrap">port {{ forward.port }}</span>
                </div>
                <div class="soft sm anywhere">
                  @if (forward.pod && forward.plural !== 'pods') {
                    <ng-container i18n>Pod {{ forward.pod | swRaw }}:{{ forward.pod_port }}</ng-container>
                  }
                  @if (forward.hosts.length > 0) {
                    <span i18n>Also for {{ formatList(forward.hosts) }}.</span>
                  }
                  @if (forward.state_reason; as reason) {
                    <span [class.error-text]="forward.state === 'failed'">{{ reason }}</span>
                  }
                </div>
              </div>
              <span i18n class="soft sm nowrap num"
                >{{ connectionsOf(forward) }}, {{ sizeOf(forward.bytes_to_pod) }} sent,
                {{ sizeOf(forward.bytes_from_pod) }} received</span
              >
              @if (forward.url) {
                <button
                  data-writes
                  i18n
                  class="btn small"
                  swAriaLabel="Open the page of {{ forward.object }} in a new window"
                  i18n-swAriaLabel
                  (click)="forwarding.open(key(), forward)"
                >
                  <sw-icon name="external" />Open
                </button>
              }
              <button
                data-writes
                i18n
                class="btn small"
                swAriaLabel="Stop the port-forward from {{ forward.local_address }}"
                i18n-swAriaLabel
                (click)="stop(forward)"
              >
                <sw-icon name="stop" />Stop
              </button>
            </li>
          } @empty {
            <li i18n class="muted">
              None. Start one from the ports of a Pod, Service or workload: open it in Resources and select
              Forward.
            </li>
          }
        </ul>
      } @else if (read.problem()) {
        <sw-load-error heading="Could not load the port-forwards" i18n-heading [of]="read" />
      } @else {
        <sw-skeleton-rows label="Loading the port-forwards" i18n-label [height]="40" [count]="2" />
      }
    </section>
  `,
  host: { class: 'block' },
})
export class ForwardList {
  protected readonly forwarding = inject(Forwarding);
  readonly key = input.required<ClusterKey>();
  protected readonly read = apiResource('/api/v1/clusters/{name}/forwards', () => this.key(), {
    refresh: { everyMs: POLL_MS },
  });
  protected readonly forwards = this.read.value;
  protected readonly notice = computed(() => this.forwards()?.[0]?.notice ?? null);
  protected readonly states = STATES;
  protected readonly sizeOf = formatBytes;
  protected readonly formatList = formatList;

  protected connectionsOf({ connections }: ForwardDto): string {
    return plural(connections, (n) => ({
      one: $localize`${n}:count: connection`,
      other: $localize`${n}:count: connections`,
    }));
  }

  protected pageOf({ plural: kind, namespace, object: name }: ForwardDto): string {
    return objectPage(this.key(), { group: groupOf(kind), version: 'v1', plural: kind, namespace, name });
  }

  protected async stop(forward: ForwardDto): Promise<void> {
    const left = await this.forwarding.stop(this.key(), forward);
    if (left) this.read.set(left);
  }
}
