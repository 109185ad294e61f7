import { Component, computed, inject, signal } from '@angular/core';
import type { ContextDto } from '../../shared/api/api-types';
import { rawText } from '../../shared/format/raw-text';
import { ClustersStore } from '../../shared/live/clusters-store';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { ExternalClusters } from './external-clusters';
import { isExternal, offeredContexts } from './external-labels';

/** More rows show on request. */
const SHOWN = 8;

/** The contexts of the user's kubeconfigs that are not among the clusters yet. */
@Component({
  selector: 'sw-available-contexts',
  imports: [UI],
  template: `
    <div class="section-head">
      <h2 i18n id="contexts-title">Available contexts</h2>
      @if (offered().length > 0) {
        <span class="n">{{ offered().length }}</span>
      }
      <button data-writes i18n class="btn small end" (click)="external.add(null)">
        <sw-icon name="plus" />Add a kubeconfig…
      </button>
    </div>
    @if (contexts.problem()) {
      <sw-load-notice i18n [of]="contexts">Could not read the kubeconfigs.</sw-load-notice>
    }
    @for (broken of contexts.value()?.problems; track broken.file) {
      <sw-notice class="problem" tone="warning" i18n
        >Could not read <code>{{ raw(broken.file) }}</code>: {{ raw(broken.problem) }}.</sw-notice
      >
    }
    @if (offered().length > 0) {
      <div class="panel">
        <ul class="row-list">
          @for (context of shown(); track context.file + ' ' + context.context) {
            <li>
              <div class="name">
                <span class="mono anywhere">{{ raw(context.context) }}</span>
                @if (context.distribution; as distribution) {
                  <span class="tag plain">{{ distribution }}</span>
                }
                <p class="muted xs anywhere">
                  {{ raw(context.server ?? '–') }}
                  @if (files().length > 1) {
                    <ng-container i18n>in {{ raw(context.file) }}</ng-container>
                  }
                </p>
                @if (context.plugin; as plugin) {
                  <p class="muted xs anywhere" i18n>
                    Signs in with <code>{{ raw(plugin) }}</code>
                  </p>
                }
                @if (context.shadowed) {
                  <p class="muted xs" i18n>kubectl uses the context of this name in an earlier file.</p>
                }
                @if (context.problem; as problem) {
                  <p class="warning-text xs anywhere">{{ raw(problem) }}</p>
                }
              </div>
              @if (context.problem === null) {
                <button
                  data-writes
                  i18n
                  class="btn small end"
                  swAriaLabel="Add {{ raw(context.context) }}"
                  i18n-swAriaLabel
                  (click)="external.add(context)"
                >
                  Add
                </button>
              }
            </li>
          }
        </ul>
        @if (offered().length > most) {
          <div class="panel-foot">
            <button class="link" (click)="all.set(!all())">
              @if (all()) {
                <ng-container i18n>Show fewer</ng-container>
              } @else {
                <ng-container i18n>Show all {{ offered().length }}</ng-container>
              }
            </button>
          </div>
        }
      </div>
    } @else if (contexts.value()?.problems.length === 0) {
      <p class="muted" i18n>Your kubeconfig has no contexts of other clusters.</p>
    }
  `,
  styles: `
    li {
      flex-wrap: nowrap;
    }
    .name {
      flex: 1;
      min-width: 0;
    }
    .tag {
      margin-left: 8px;
    }
    .problem {
      margin-bottom: var(--s-2);
    }
  `,
  host: { class: 'section block', role: 'region', 'aria-labelledby': 'contexts-title' },
})
export class AvailableContexts {
  private readonly clusters = inject(ClustersStore);
  protected readonly external = inject(ExternalClusters);
  protected readonly raw = rawText;
  protected readonly most = SHOWN;
  protected readonly all = signal(false);
  /** Read again when a cluster was added or removed, and when the user comes back from an editor of the file. */
  protected readonly contexts = apiResource('/api/v1/external-clusters/contexts', () => ({}), {
    reloadOn: computed(() =>
      this.clusters
        .clusters()
        .filter(isExternal)
        .map(({ name }) => name)
        .join(),
    ),
    refresh: {},
  });
  protected readonly files = computed(() => this.contexts.value()?.files ?? []);
  protected readonly offered = computed<ContextDto[]>(() =>
    offeredContexts(this.contexts.value()?.contexts ?? []),
  );
  protected readonly shown = computed(() => (this.all() ? this.offered() : this.offered().slice(0, SHOWN)));
}
