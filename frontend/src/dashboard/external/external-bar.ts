import { Dialog } from '@angular/cdk/dialog';
import {
  ApplicationRef,
  Component,
  computed,
  createComponent,
  DestroyRef,
  DOCUMENT,
  effect,
  inject,
  inputBinding,
} from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import type { ClusterKey } from '../../shared/api/api';
import { rawText } from '../../shared/format/raw-text';
import { ClustersStore } from '../../shared/live/clusters-store';
import { DENIED, disableControls, OF_CHANGES } from '../../shared/shell/disabled-controls';
import { UI } from '../../shared/ui/ui';
import { PageCluster } from '../cluster-context/page-cluster';
import { ChangedCluster } from './changed-cluster';
import { ExternalClusters } from './external-clusters';
import { changesOff, isExternal } from './external-labels';

/**
 * On all pages of an external cluster: its color, note and warnings, and whether changes are allowed. While they are not,
 * disables all controls that are marked `data-changes`. Marks dialogs that have the key of an external cluster.
 */
@Component({
  selector: 'sw-external-bar',
  imports: [UI],
  template: `
    @if (shown(); as cluster) {
      <section
        class="bar-of-cluster"
        aria-label="External cluster"
        i18n-aria-label
        [style.border-color]="'var(--cluster-' + cluster.external.color + ')'"
      >
        <div class="flow tight">
          <b class="medium anywhere">{{ cluster.name }}</b>
          <span class="soft anywhere">{{ raw(cluster.external.note) }}</span>
          <span class="flow tight end">
            @if (cluster.external.changes_allowed) {
              <span i18n class="tag warning">Changes allowed</span>
              <button data-writes i18n class="btn small" (click)="external.turnChangesOff(cluster)">
                Turn changes off
              </button>
            } @else {
              <span i18n class="tag plain">Changes are off</span>
              <button data-writes i18n class="btn small" (click)="external.allowChanges(cluster)">
                Allow changes…
              </button>
            }
          </span>
        </div>
        @if (cluster.external.insecure) {
          <p i18n class="warning-text inline">
            <sw-icon name="warning" [size]="14" />The certificate of the server is not verified.
          </p>
        }
        @if (cluster.external.notice; as notice) {
          <p class="warning-text inline anywhere"><sw-icon name="warning" [size]="14" />{{ raw(notice) }}</p>
        }
      </section>
    }
  `,
  styles: `
    .bar-of-cluster {
      padding: 6px max(var(--gutter), calc((100% - var(--page-max)) / 2 + var(--gutter)));
      border-top: 4px solid;
      border-bottom: 1px solid var(--line) !important;
      background: var(--surface);
      font-size: var(--fs-sm);
    }
  `,
})
export class ExternalBar {
  private readonly application = inject(ApplicationRef);
  private readonly clusters = inject(ClustersStore);
  private readonly page = inject(PageCluster);
  protected readonly external = inject(ExternalClusters);
  protected readonly raw = rawText;
  protected readonly shown = computed(() => {
    const cluster = this.page.cluster();
    return isExternal(cluster) ? cluster : undefined;
  });
  /** Why controls for changes are disabled; undefined if they are not. Those of dialogs may be of another cluster. */
  private readonly off = computed(() => {
    const cluster = this.shown();
    return cluster && !cluster.external.changes_allowed ? changesOff(cluster.name) : undefined;
  });

  constructor() {
    const document = inject(DOCUMENT);
    // Also outside the pages of clusters, for the palette.
    const denied = (control: Element): string => control.getAttribute('data-denied') ?? '';
    inject(DestroyRef).onDestroy(disableControls(document, denied, DENIED));
    effect((onCleanup) => {
      const why = this.off();
      if (why !== undefined) onCleanup(disableControls(document, why, OF_CHANGES));
    });
    inject(Dialog)
      .afterOpened.pipe(takeUntilDestroyed())
      .subscribe(({ config, overlayRef, closed }) => {
        const { key } = (config.data ?? {}) as { key?: ClusterKey };
        if (!key || !isExternal(this.clusters.find(key.name, key.runtime))) return;
        const strip = createComponent(ChangedCluster, {
          environmentInjector: this.application.injector,
          bindings: [inputBinding('of', () => key)],
        });
        overlayRef.overlayElement
          .querySelector('.cdk-dialog-container')
          ?.prepend(strip.location.nativeElement as HTMLElement);
        this.application.attachView(strip.hostView);
        closed.subscribe(() => strip.destroy());
      });
  }
}
