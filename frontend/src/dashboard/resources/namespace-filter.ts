import { Component, computed, inject, input, output, signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { apiResource } from '../../shared/loading/api-resource';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Popover } from '../../shared/ui/popover';
import { ExternalClusters } from '../external/external-clusters';
import { type ExternalCluster, isExternal, offeredNamespaces } from '../external/external-labels';
import { MAX_NAMESPACES } from '../resource-model/namespaces';
import { PlainButton } from '../../shared/ui/plain-button';
import { Raw } from '../../shared/ui/raw';
import { Verbatim } from '../../shared/ui/verbatim';
import { typeParams } from '../resource-model/resource-address';

const TYPE = { group: 'core', version: 'v1', plural: 'namespaces' };
const MOST = 1000;

/** Chooses some or all namespaces of a cluster. The list is loaded when it opens. */
@Component({
  selector: 'sw-namespace-filter',
  imports: [PlainButton, Popover, Raw, Verbatim],
  template: `
    <sw-popover icon="filter" label="Namespaces" i18n-label [text]="text() | swRaw" [(open)]="open">
      <ng-template>
        <button i18n [disabled]="chosen().length === 0" (click)="choose.emit([])">All namespaces</button>
        <hr />
        @if (found.problem(); as problem) {
          <p class="warning-text sm" role="status">{{ problem.message }}</p>
          @if (isForbidden() && external(); as cluster) {
            <form class="inline" (submit)="add($event, cluster, typed.value); typed.value = ''">
              <span class="field fill">
                <input
                  swVerbatim
                  #typed
                  required
                  pattern="[a-z0-9]([\\-a-z0-9]{0,61}[a-z0-9])?"
                  placeholder="Namespace"
                  i18n-placeholder
                  aria-label="Namespace to add"
                  i18n-aria-label
                />
              </span>
              <button i18n class="btn small" type="submit">Add</button>
            </form>
          }
        }
        <fieldset class="fl">
          <legend i18n class="sr-only">Namespaces</legend>
          @for (name of names(); track name) {
            <label class="check">
              <input
                type="checkbox"
                [checked]="chosen().includes(name)"
                [disabled]="chosen().length >= most && !chosen().includes(name)"
                (change)="toggle(name)"
              />
              <span class="cut" [title]="name | swRaw">{{ name | swRaw }}</span>
              @if (counts(); as counts) {
                <span class="muted xs end">{{ counts.get(name) ?? 0 }}</span>
              }
            </label>
          }
        </fieldset>
      </ng-template>
    </sw-popover>
  `,
  styles: `
    :host {
      display: flex;
      min-width: 0;
      max-width: 18rem;
    }
    fieldset {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      min-height: 112px;
      padding: 0 8px 6px;
      align-content: start;
    }
    .check {
      min-height: 28px;
      min-width: 0;
    }
    p,
    form {
      padding: 0 8px 6px;
    }
    @media (pointer: coarse) {
      .check {
        min-height: 40px;
      }
    }
  `,
})
export class NamespaceFilter {
  private readonly clusters = inject(ClustersStore);
  private readonly externals = inject(ExternalClusters);
  /** Undefined while the page does not know the engine yet. */
  readonly key = input.required<ClusterKey | undefined>();
  /** Empty for all. */
  readonly chosen = input.required<readonly string[]>();
  /** How many objects of the page each namespace has; null if the page does not count them. */
  readonly counts = input<ReadonlyMap<string, number> | null>(null);
  readonly choose = output<readonly string[]>();

  protected readonly most = MAX_NAMESPACES;
  protected readonly open = signal(false);
  protected readonly found = apiResource(
    '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
    () => {
      const key = this.open() ? this.key() : undefined;
      return key && { ...typeParams(key, TYPE), limit: MOST };
    },
  );
  protected readonly isForbidden = computed(() => this.found.problem()?.code === 'resource_forbidden');
  /** Includes a chosen namespace that does not exist, so that it can be removed from the choice. */
  protected readonly names = computed(() =>
    [
      ...new Set([
        ...(this.found.value()?.rows.map(({ name }) => name) ?? []),
        ...offeredNamespaces(this.external(), this.isForbidden()),
        ...this.chosen(),
        ...(this.counts()?.keys() ?? []),
      ]),
    ].sort(),
  );
  /** The cluster if it is an external one, in which the user can type namespaces. */
  protected readonly external = computed(() => {
    const key = this.key();
    const cluster = key && this.clusters.find(key.name, key.runtime);
    return isExternal(cluster) ? cluster : undefined;
  });
  protected readonly text = computed(() => {
    const [first, ...more] = this.chosen();
    if (first === undefined) return $localize`All namespaces`;
    return more.length === 0 ? first : $localize`${more.length + 1}:count: namespaces`;
  });

  protected async add(event: Event, cluster: ExternalCluster, namespace: string): Promise<void> {
    event.preventDefault();
    if (!(await this.externals.addNamespace(cluster, namespace))) return;
    if (!this.chosen().includes(namespace)) this.choose.emit([...this.chosen(), namespace].sort());
  }

  protected toggle(name: string): void {
    const chosen = this.chosen();
    this.choose.emit(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name].sort());
  }
}
