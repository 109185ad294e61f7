import { Component, computed, inject, signal } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { plural, sentenceList } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { BulkActions } from './bulk/bulk-actions';
import { planBulk } from './bulk/bulk-plan';
import { keyOf } from './cluster-rows';

const KEPT_AS = 'slipway.restart-offer.dismissed';
const NAMED = 4;

/** After the machine or an engine restarted: offers to start the clusters that ran before, all or some of them. */
@Component({
  selector: 'sw-restart-offer',
  imports: [Icon, Notice],
  template: `
    @if (offered().length > 0) {
      <sw-notice>
        <p>
          <b>{{ title() }}</b> {{ names() }} ran until the machine or the engine stopped.
        </p>
        @if (choosing()) {
          <ul aria-label="Clusters to start">
            @for (cluster of offered(); track key(cluster)) {
              <li>
                <label class="check">
                  <input
                    type="checkbox"
                    [checked]="!leftOut().has(key(cluster))"
                    (change)="toggle(key(cluster))"
                  />
                  {{ cluster.name }} <span class="muted">{{ cluster.runtime }}</span>
                </label>
              </li>
            }
          </ul>
        }
        <button
          action
          type="button"
          class="btn small"
          [disabled]="wanted().length === 0 || bulk.run.running()"
          (click)="start()"
        >
          <sw-icon name="play" />{{ startText() }}
        </button>
        @if (offered().length > 1) {
          <button
            action
            type="button"
            class="btn small"
            [attr.aria-expanded]="choosing()"
            (click)="choosing.set(!choosing())"
          >
            Choose
          </button>
        }
        <button
          action
          type="button"
          class="btn icon small quiet"
          aria-label="Dismiss this offer"
          (click)="dismiss()"
        >
          <sw-icon name="x" />
        </button>
      </sw-notice>
    }
  `,
  styles: `
    :host {
      display: block;
    }
    :host:not(:has(*)) {
      display: none;
    }
    p {
      padding-top: 4px;
    }
    ul {
      display: flex;
      flex-wrap: wrap;
      gap: 2px var(--s-5);
      margin-top: 4px;
    }
  `,
})
export class RestartOffer {
  private readonly clusters = inject(ClustersStore);
  protected readonly bulk = inject(BulkActions);
  private readonly dismissed = signal(readDismissed());
  protected readonly leftOut = signal<ReadonlySet<string>>(new Set());
  protected readonly choosing = signal(false);
  protected readonly key = keyOf;

  protected readonly offered = computed(() =>
    this.clusters
      .clusters()
      .filter((cluster) => cluster.stopped_unexpectedly && !this.dismissed().has(momentOf(cluster))),
  );
  protected readonly wanted = computed(() =>
    this.offered().filter((cluster) => !this.leftOut().has(keyOf(cluster))),
  );
  protected readonly title = computed(
    () =>
      `${plural(this.offered().length, 'cluster')} ${this.offered().length === 1 ? 'was' : 'were'} running before.`,
  );
  protected readonly names = computed(() => {
    const names = this.offered().map(({ name }) => name);
    const rest = names.length - NAMED;
    return rest > 1 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : sentenceList(names);
  });
  protected readonly startText = computed(() => {
    const [wanted, all] = [this.wanted().length, this.offered().length];
    if (wanted < all) return `Start ${wanted} of ${all}`;
    return all === 1 ? 'Start it' : 'Start them';
  });

  protected toggle(key: string): void {
    this.leftOut.update((keys) => {
      const changed = new Set(keys);
      if (!changed.delete(key)) changed.add(key);
      return changed;
    });
  }

  protected start(): void {
    void this.bulk.begin(planBulk('start', this.wanted()));
  }

  /** For these, and for this time that they stopped. */
  protected dismiss(): void {
    const moments = new Set(this.offered().map(momentOf));
    this.dismissed.set(moments);
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify([...moments]));
    } catch {
      // Storage may be closed to us: the offer is then gone until the page is loaded anew.
    }
  }
}

function momentOf(cluster: ClusterDto): string {
  return `${keyOf(cluster)} ${cluster.state_since ?? ''}`;
}

function readDismissed(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string') : []);
  } catch {
    return new Set();
  }
}
