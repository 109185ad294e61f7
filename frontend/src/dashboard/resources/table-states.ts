import { Component, computed, inject, input, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { asSentence } from '../../shared/format/format';
import { Icon } from '../../shared/ui/icon';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { stateStyle } from '../../shared/ui/state-styles';
import { actionsOf } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import type { TableFeed } from './table-feed';

/** What stands where rows would be: on their way, none, filtered to nothing, forbidden, gone, stopped. */
@Component({
  selector: 'sw-table-states',
  imports: [Icon, Placeholder, RouterLink, SkeletonRows],
  template: `
    @switch (situation()) {
      @case ('missing') {
        <sw-placeholder heading="There is no such cluster">
          It may have been deleted: the journal would say so.
          <a action class="btn primary" routerLink="/clusters">All clusters</a>
        </sw-placeholder>
      }
      @case ('stopped') {
        @if (cluster(); as cluster) {
          <sw-placeholder [heading]="cluster.name + ' does not run'">
            {{ word() }}{{ reason() }} Its objects can be read while it runs.
            @for (offer of ways(); track offer.action) {
              <button action type="button" class="btn primary" (click)="actions.run(offer.action, cluster)">
                <sw-icon [name]="offer.icon" />{{ offer.text }}
              </button>
            }
            <a action class="btn" [routerLink]="page(cluster).path" [queryParams]="page(cluster).query"
              >To {{ cluster.name }}</a
            >
          </sw-placeholder>
        }
      }
      @case ('gone') {
        <sw-placeholder [heading]="title() + ' are not served here'">
          {{ problem()?.message }} A custom resource definition may have been removed, or the cluster serves
          the kind in another version.
          @if (cluster(); as cluster) {
            <a action class="btn" [routerLink]="page(cluster).path" [queryParams]="page(cluster).query"
              >What {{ cluster.name }} serves</a
            >
          }
        </sw-placeholder>
      }
      @case ('forbidden') {
        <sw-placeholder [heading]="title() + ' may not be read'">
          {{ problem()?.message }}
          <button action type="button" class="btn" (click)="retried.emit()">
            <sw-icon name="refresh" />Try again
          </button>
        </sw-placeholder>
      }
      @case ('failed') {
        <sw-placeholder [heading]="title() + ' cannot be read now'">
          {{ problem()?.message }} The page tries again by itself.
          <button action type="button" class="btn" (click)="retried.emit()">
            <sw-icon name="refresh" />Try now
          </button>
          <a action class="btn" routerLink="/diagnostics">Diagnostics</a>
        </sw-placeholder>
      }
      @case ('filtered') {
        <sw-placeholder [heading]="'Nothing here matches'">
          {{ hidden() }}
          <button action type="button" class="btn" (click)="cleared.emit()">Clear the filter</button>
        </sw-placeholder>
      }
      @case ('empty') {
        <sw-placeholder [heading]="'There are no ' + title()">
          {{ place() }} has none. They appear here as soon as there are some.
        </sw-placeholder>
      }
      @case ('loading') {
        <sw-skeleton-rows [label]="'Loading ' + title()" [height]="32" />
      }
    }
  `,
  styles: `
    :host {
      display: block;
    }
  `,
})
export class TableStates {
  protected readonly actions = inject(ClusterActions);
  readonly feed = input.required<TableFeed | undefined>();
  readonly cluster = input.required<ClusterDto | undefined>();
  /** No cluster has the name in the address. */
  readonly missing = input.required<boolean>();
  readonly title = input.required<string>();
  readonly namespace = input.required<string>();
  readonly filtered = input.required<boolean>();
  readonly cleared = output();
  readonly retried = output();

  protected readonly problem = computed(() => this.feed()?.problem() ?? null);
  protected readonly situation = computed(() => {
    const cluster = this.cluster();
    const feed = this.feed();
    const problem = this.problem();
    if (this.missing()) return 'missing';
    if (cluster && cluster.state !== 'running' && cluster.state !== 'degraded') return 'stopped';
    if (problem?.code === 'resource_type_not_found') return 'gone';
    if (problem?.code === 'resource_forbidden') return 'forbidden';
    if (problem) return 'failed';
    if (!feed || feed.waiting()) return 'loading';
    if (feed.size() > 0 || this.filtered()) return feed.complete() ? 'filtered' : 'loading';
    return 'empty';
  });
  protected readonly word = computed(() => stateStyle(this.cluster()?.state ?? 'unknown').word);
  protected readonly reason = computed(() => {
    const reason = this.cluster()?.state_reason ?? null;
    return reason === null ? '.' : `: ${asSentence(reason)}`;
  });
  /** What would have it run. */
  protected readonly ways = computed(() => {
    const cluster = this.cluster();
    return cluster
      ? actionsOf(cluster).filter(({ action }) => action === 'start' || action === 'unpause')
      : [];
  });
  protected readonly hidden = computed(() => {
    const count = this.feed()?.size() ?? 0;
    const namespace = this.namespace();
    const where = namespace === '' ? '' : ` The table shows the namespace ${namespace} only.`;
    return count === 0 ? `There is nothing to filter.${where}` : `${count} are hidden by the filter.${where}`;
  });
  protected readonly place = computed(() => this.cluster()?.name ?? 'The cluster');
  protected readonly page = clusterPage;
}
