import { Component, computed, inject, input } from '@angular/core';
import { formatCount } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { UI } from '../../shared/ui/ui';
import { ExternalClusters } from '../external/external-clusters';
import { isExternal, storesLines } from '../external/external-labels';
import { PodLogReader } from './pod-log-reader';
import { StoredLines } from './stored-lines';

/** Says which older lines of a log are shown, and loads more of them. */
@Component({
  selector: 'sw-older-lines',
  imports: [UI],
  template: `
    @if (history() || withoutHistory(); as text) {
      <p class="panel-note xs muted flow tight" role="status">
        @if (history()) {
          <span>{{ text }}</span>
        }
        @if (withoutHistory(); as cluster) {
          <span i18n>Slipway stores no lines of this namespace.</span>
          <button data-writes i18n class="link" (click)="externals.storeLines(cluster, namespace())">
            Store lines…
          </button>
        }
        @if (canLoadOlder()) {
          <button i18n class="link" (click)="loadOlder()">Load older lines</button>
        }
      </p>
    }
  `,
  styles: `
    :host {
      display: block;
      flex: none;
    }
    p {
      padding-block: 6px;
    }
  `,
})
export class OlderLines {
  private readonly run = inject(PodLogReader);
  private readonly stored = inject(StoredLines);
  private readonly clusters = inject(ClustersStore);
  protected readonly externals = inject(ExternalClusters);
  /** Lines of several containers. */
  readonly merged = input.required<boolean>();
  protected readonly namespace = computed(() => this.run.address()?.namespace ?? '');
  /** The external cluster, if it stores no lines of the namespace. */
  protected readonly withoutHistory = computed(() => {
    const key = this.run.address()?.key;
    const cluster = key && this.clusters.find(key.name, key.runtime);
    return isExternal(cluster) && !storesLines(cluster, this.namespace()) ? cluster : undefined;
  });
  /** Says which older lines are shown. */
  protected readonly history = computed(() => {
    const newest = this.run.newest();
    const problem = this.stored.problem();
    const loaded = newest === null ? '' : this.newestText(newest);
    if (problem && problem.code !== 'offline') {
      const isOff = problem.code === 'log_board_not_running';
      const reason = isOff ? $localize`the log board does not run with this dashboard.` : problem.message;
      return $localize`${loaded}:newest: Stored lines are not available: ${reason}:reason:`.trim();
    }
    if (!this.stored.isAvailable()) return loaded;
    switch (this.stored.state()) {
      case 'idle':
        return loaded || $localize`The newest lines are shown.`;
      case 'loading':
        return $localize`Searching stored lines …`;
      case 'more':
        return $localize`Stored lines were searched in part.`;
      case 'timeout':
        return $localize`The search of stored lines took too long.`;
      case 'full':
        return $localize`No more lines fit. Choose a time range to see older ones.`;
      case 'complete': {
        const most = this.stored.most();
        return most === null
          ? $localize`All stored lines were searched.`
          : $localize`The stored lines of the newest ${formatCount(most)}:count: containers were searched.`;
      }
    }
  });
  protected readonly canLoadOlder = computed(() => {
    const state = this.stored.state();
    return this.stored.isAvailable() && state !== 'complete'
      ? state !== 'loading' && state !== 'full'
      : this.run.canReadMore();
  });

  protected loadOlder(): void {
    if (this.stored.isAvailable() && this.stored.state() !== 'complete') void this.stored.loadOlder();
    else this.run.readMore();
  }

  private newestText(count: number): string {
    return this.merged()
      ? $localize`The newest ${formatCount(count)}:count: lines of each container are loaded.`
      : $localize`The newest ${formatCount(count)}:count: lines are loaded.`;
  }
}
