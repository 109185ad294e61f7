import { keyOf } from './cluster-rows';
import { Component, computed, inject, signal } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { readStored, store } from '../../shared/browser/browser-storage';
import { plural } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { UI } from '../../shared/ui/ui';
import { shortList } from '../cluster-actions/questions';
import { toggled } from '../../shared/grid/toggled';
import { BulkActions } from './bulk/bulk-actions';
import { planBulk } from './bulk/bulk-plan';

const STORAGE_KEY = 'slipway.restart-offer.dismissed';
const NAMED = 4;

@Component({
  selector: 'sw-restart-offer',
  imports: [UI],
  template: `
    @if (offered().length > 0) {
      <sw-notice>
        <p>
          <b>{{ title() }}</b>
          <ng-container i18n> {{ names() }} ran until the host or the engine stopped.</ng-container>
        </p>
        @if (choosing()) {
          <ul class="flow" aria-label="Clusters to start" i18n-aria-label>
            @for (cluster of offered(); track key(cluster)) {
              <li>
                <label class="check">
                  <input
                    type="checkbox"
                    [checked]="!excluded().has(key(cluster))"
                    (change)="toggle(key(cluster))"
                  />
                  {{ cluster.name }} <span class="muted">{{ cluster.runtime }}</span>
                </label>
              </li>
            }
          </ul>
        }
        <button
          data-writes
          action
          class="btn small"
          [disabled]="wanted().length === 0 || bulk.run.running()"
          (click)="start()"
        >
          <sw-icon name="play" />{{ startText() }}
        </button>
        @if (offered().length > 1) {
          <button
            action
            class="btn small"
            [attr.aria-expanded]="choosing()"
            (click)="choosing.set(!choosing())"
            i18n
          >
            Choose
          </button>
        }
        <button swIconButton="x" label="Dismiss" i18n-label title="" action (click)="dismiss()"></button>
      </sw-notice>
    }
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class RestartOffer {
  private readonly clusters = inject(ClustersStore);
  protected readonly bulk = inject(BulkActions);
  private readonly dismissed = signal(readDismissed());
  protected readonly excluded = signal<ReadonlySet<string>>(new Set());
  protected readonly choosing = signal(false);
  protected readonly key = keyOf;

  protected readonly offered = computed(() =>
    this.clusters
      .clusters()
      .filter((cluster) => cluster.stopped_unexpectedly && !this.dismissed().has(stopOf(cluster))),
  );
  protected readonly wanted = computed(() =>
    this.offered().filter((cluster) => !this.excluded().has(keyOf(cluster))),
  );
  protected readonly title = computed(() =>
    plural(this.offered().length, (n) => ({
      one: $localize`${n}:count: cluster stopped unexpectedly.`,
      other: $localize`${n}:count: clusters stopped unexpectedly.`,
    })),
  );
  protected readonly names = computed(() =>
    shortList(
      this.offered().map(({ name }) => name),
      NAMED,
    ),
  );
  protected readonly startText = computed(() => {
    const [wanted, all] = [this.wanted().length, this.offered().length];
    if (all === 1) return $localize`Start`;
    return wanted < all
      ? $localize`Start ${wanted}:wanted: of ${all}:all:`
      : $localize`Start all ${all}:all:`;
  });

  protected toggle(key: string): void {
    this.excluded.update((keys) => toggled(keys, key));
  }

  protected start(): void {
    void this.bulk.start(planBulk('start', this.wanted()));
  }

  /** Until one of these clusters stops again. */
  protected dismiss(): void {
    const stops = new Set(this.offered().map(stopOf));
    this.dismissed.set(stops);
    store(STORAGE_KEY, [...stops]);
  }
}

function stopOf(cluster: ClusterDto): string {
  return `${keyOf(cluster)} ${cluster.state_since ?? ''}`;
}

function readDismissed(): ReadonlySet<string> {
  const kept = readStored(STORAGE_KEY);
  return new Set(Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string') : []);
}
