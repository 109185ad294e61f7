import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, inject, input } from '@angular/core';
import { clusterKey, isUp } from '../../shared/api/api';
import type { ClusterDto, NodeImageDto } from '../../shared/api/api-types';
import { formatBytes, formatList, nodeCount, plural } from '../../shared/format/format';
import { isActive, JobsStore } from '../../shared/live/jobs-store';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { ClusterActions } from '../cluster-actions/cluster-actions';

@Component({
  selector: 'sw-cluster-images',
  imports: [NgTemplateOutlet, UI],
  template: `
    <section class="panel" aria-labelledby="cluster-images-title">
      <div class="panel-head">
        <h2 i18n id="cluster-images-title">Images</h2>
        @if (found()) {
          <span i18n class="n">{{ own().length }} loaded</span>
        }
        @if (canRead()) {
          <div class="acts">
            <button
              data-writes
              i18n
              class="btn small"
              [disabled]="cluster().active_job_id !== null"
              (click)="actions.loadImages(cluster())"
            >
              <sw-icon name="plus" />Load images…
            </button>
          </div>
        }
      </div>
      @if (!canRead()) {
        <p i18n class="panel-note">Start the cluster to see its images.</p>
      } @else if (images.problem(); as problem) {
        <sw-notice tone="warning">
          {{ problem.message }}
          <button i18n action class="link" (click)="images.reload()">Try again</button>
        </sw-notice>
      } @else if (found()) {
        @if (failedNodes(); as nodes) {
          <sw-notice i18n tone="warning">Could not read the images of all nodes. {{ nodes }}.</sw-notice>
        }
        @if (own().length === 0) {
          <p i18n class="panel-note">No images loaded. Load a locally built image before Pods can use it.</p>
        } @else {
          <ul class="row-list" aria-label="Loaded images" i18n-aria-label>
            <ng-container *ngTemplateOutlet="rows; context: { $implicit: own() }" />
          </ul>
        }
        @if (builtIn().length > 0) {
          <details class="disclosure panel-note">
            <summary>{{ builtInText() }}</summary>
            <ul class="row-list" aria-label="Kubernetes images of the nodes" i18n-aria-label>
              <ng-container *ngTemplateOutlet="rows; context: { $implicit: builtIn() }" />
            </ul>
          </details>
        }
      } @else {
        <sw-skeleton-rows label="Loading images" i18n-label />
      }
    </section>
    <ng-template #rows let-images>
      @for (image of images; track image.id) {
        <li>
          <span class="mono xs fill">{{ image.references.join(', ') || image.id }}</span>
          <span class="muted xs">{{ whereOf(image) }}</span>
          <span class="muted xs num">{{ bytes(image.size_bytes) }}</span>
        </li>
      }
    </ng-template>
  `,
  styles: `
    .num {
      min-width: 84px;
    }
  `,
})
export class ClusterImages {
  private readonly jobs = inject(JobsStore);
  protected readonly actions = inject(ClusterActions);
  readonly cluster = input.required<ClusterDto>();

  protected readonly bytes = formatBytes;
  /** Only running nodes can list and load images. */
  protected readonly canRead = computed(() => {
    const cluster = this.cluster();
    return isUp(cluster) && cluster.nodes.some((node) => node.state === 'running');
  });
  protected readonly own = computed(() =>
    (this.found()?.images ?? []).filter((image) => !image.part_of_kubernetes),
  );
  protected readonly builtIn = computed(() =>
    (this.found()?.images ?? []).filter((image) => image.part_of_kubernetes),
  );
  protected readonly builtInText = computed(() =>
    plural(this.builtIn().length, (n) => ({
      one: $localize`${n}:count: Kubernetes image included in the nodes`,
      other: $localize`${n}:count: Kubernetes images included in the nodes`,
    })),
  );
  protected readonly failedNodes = computed(() =>
    formatList(
      (this.found()?.nodes ?? []).flatMap(({ name, reason }) =>
        reason === null ? [] : `${name}: ${reason}`,
      ),
    ),
  );
  /** Changes when the images may have changed: with the states of the nodes and with each finished load. */
  private readonly stamp = computed(() => {
    const { name, runtime, nodes } = this.cluster();
    const states = nodes.map((node) => `${node.name} ${node.state}`).join();
    // Counts finished jobs: a short load may never show as the cluster's active job.
    const loads = this.jobs
      .jobs()
      .filter(
        (job) =>
          job.kind === 'load-images' && job.cluster === name && job.runtime === runtime && !isActive(job),
      );
    return `${loads.length} ${states}`;
  });
  protected readonly images = apiResource(
    '/api/v1/clusters/{name}/images',
    () => (this.canRead() ? clusterKey(this.cluster()) : undefined),
    { reloadOn: this.stamp },
  );
  protected readonly found = this.images.value;

  protected whereOf({ nodes }: NodeImageDto): string {
    const total = this.found()?.nodes.length ?? 0;
    if (nodes.length === total) return $localize`all nodes`;
    if (nodes.length === 1) return nodes[0] ?? '';
    return $localize`${nodes.length}:count: of ${nodeCount(total)}:nodes:`;
  }
}
