import { Component, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { UI } from '../../shared/ui/ui';
import { EngineChoice } from './engine-choice';

/** Content of a cluster's page while there is no cluster: ambiguous name, loading, failed or nonexistent. */
@Component({
  selector: 'sw-no-cluster',
  imports: [EngineChoice, RouterLink, UI],
  template: `
    @if (choice().length > 0) {
      <sw-engine-choice [clusters]="choice()" [below]="below()" />
    } @else if (live.waiting()) {
      <sw-skeleton-rows />
    } @else {
      @if (live.problem(); as problem) {
        <sw-placeholder heading="Could not load the cluster" i18n-heading>
          {{ problem.message }}
          <a i18n action class="btn primary" routerLink="/clusters">All clusters</a>
        </sw-placeholder>
      } @else {
        <sw-placeholder i18n heading="Cluster {{ name() }} does not exist" i18n-heading>
          No cluster has this name. If it was deleted, the journal says when.
          <a action class="btn primary" routerLink="/clusters">All clusters</a>
          <a action class="btn" routerLink="/journal" [queryParams]="{ cluster: name() }">Journal</a>
        </sw-placeholder>
      }
    }
  `,
  host: { class: 'panel' },
})
export class NoCluster {
  protected readonly live = inject(ClustersStore).live;
  readonly name = input.required<string>();
  readonly choice = input.required<readonly ClusterDto[]>();
  /** Path segments of the page below the cluster's own. */
  readonly below = input.required<readonly string[]>();
}
