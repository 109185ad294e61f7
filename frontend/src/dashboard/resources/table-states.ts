import { Component, computed, inject, input, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { asSentence, formatList, objectCount } from '../../shared/format/format';
import { stateStyle } from '../../shared/ui/state-styles';
import { UI } from '../../shared/ui/ui';
import { actionsOf } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import type { TableFeed } from './table-feed';

@Component({
  selector: 'sw-table-states',
  imports: [RouterLink, UI],
  template: `
    @switch (situation()) {
      @case ('missing') {
        <sw-placeholder i18n heading="Cluster does not exist" i18n-heading>
          No cluster has this name. If it was deleted, the journal says when.
          <a action class="btn primary" routerLink="/clusters">All clusters</a>
        </sw-placeholder>
      }
      @case ('stopped') {
        @if (cluster(); as cluster) {
          <sw-placeholder [heading]="downHeading()">
            {{ stateLabel() }}{{ reason() }}
            @if (!cluster.external) {
              <ng-container i18n>Start the cluster to see its resources.</ng-container>&ngsp;
            }
            @for (offer of startActions(); track offer.action) {
              <button data-writes action class="btn primary" (click)="actions.run(offer.action, cluster)">
                <sw-icon [name]="offer.icon" />{{ offer.text }}
              </button>
            }
            <a i18n action class="btn" [swLink]="page(cluster)">Open {{ cluster.name }}</a>
          </sw-placeholder>
        }
      }
      @case ('gone') {
        <sw-placeholder i18n heading="{{ title() }} not found in this cluster" i18n-heading>
          {{ problem()?.message }} Its CRD may have been deleted, or the cluster serves another version.
          @if (cluster(); as cluster) {
            <a action class="btn" [swLink]="page(cluster)">Kinds of {{ cluster.name }}</a>
          }
        </sw-placeholder>
      }
      @case ('forbidden') {
        <sw-load-error
          heading="No permission to list {{ title() }}"
          i18n-heading
          [message]="problem()?.message"
          (retry)="retried.emit()"
        />
      }
      @case ('failed') {
        <sw-placeholder i18n heading="Could not load {{ title() }}" i18n-heading>
          {{ problem()?.message }} The page retries automatically.
          <button action class="btn" (click)="retried.emit()"><sw-icon name="refresh" />Try again</button>
          <a action class="btn" routerLink="/diagnostics">Diagnostics</a>
        </sw-placeholder>
      }
      @case ('filtered') {
        <sw-placeholder heading="No matches" i18n-heading>
          {{ hidden() }}
          <button i18n action class="btn" (click)="cleared.emit()">Clear filter</button>
        </sw-placeholder>
      }
      @case ('empty') {
        <sw-placeholder i18n heading="No {{ title() }}" i18n-heading>
          New ones appear here automatically.
        </sw-placeholder>
      }
      @case ('loading') {
        <sw-skeleton-rows label="Loading {{ title() }}" i18n-label [height]="32" />
      }
    }
  `,
  host: { class: 'stack' },
})
export class TableStates {
  protected readonly actions = inject(ClusterActions);
  readonly feed = input.required<TableFeed | undefined>();
  readonly cluster = input.required<ClusterDto | undefined>();
  /** The cluster in the URL does not exist. */
  readonly missing = input.required<boolean>();
  readonly title = input.required<string>();
  /** The chosen namespaces; empty for all. */
  readonly namespaces = input.required<readonly string[]>();
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
  protected readonly stateLabel = computed(() => stateStyle(this.cluster()?.state ?? 'unknown').word);
  protected readonly downHeading = computed(() => {
    const { name = '', external } = this.cluster() ?? {};
    return external
      ? $localize`${name}:cluster: does not respond`
      : $localize`${name}:cluster: is not running`;
  });
  protected readonly reason = computed(() => {
    const reason = this.cluster()?.state_reason ?? null;
    return reason === null ? '.' : `: ${asSentence(reason)}`;
  });
  protected readonly startActions = computed(() => {
    const cluster = this.cluster();
    return cluster
      ? actionsOf(cluster).filter(({ action }) => action === 'start' || action === 'unpause')
      : [];
  });
  protected readonly hidden = computed(() => {
    const count = this.feed()?.size() ?? 0;
    const namespaces = this.namespaces();
    const hidden =
      count === 0 ? $localize`There are no objects.` : $localize`The filter hides ${objectCount(count)}:n:.`;
    if (namespaces.length === 0) return hidden;
    return `${hidden} ${$localize`Chosen namespaces: ${formatList(namespaces)}:namespaces:.`}`;
  });
  protected readonly page = clusterPage;
}
