import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterDto, ClusterImagesDto, NodeImageDto } from '../../shared/api/api-types';
import { formatBytes, plural, sentenceList } from '../../shared/format/format';
import { isActive, JobsStore } from '../../shared/live/jobs-store';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { LoadImages } from './load-images';

/** The images in the nodes of a cluster, and the way to load more. */
@Component({
  selector: 'sw-cluster-images',
  imports: [Icon, Notice, SkeletonRows],
  template: `
    <section class="panel" aria-labelledby="cluster-images-title">
      <div class="panel-head">
        <h2 id="cluster-images-title">Images</h2>
        @if (found()) {
          <span class="n">{{ own().length }} loaded</span>
        }
        @if (asked()) {
          <div class="acts">
            <button type="button" class="btn small" [disabled]="!loadable()" (click)="load()">
              <sw-icon name="plus" />Load images…
            </button>
          </div>
        }
      </div>
      @if (!asked()) {
        <p>What its nodes hold can be read while they run.</p>
      } @else if (found(); as found) {
        @if (silent().length > 0) {
          <div class="silent">
            <sw-notice tone="warning" icon="warning">
              Not all nodes could be asked: {{ silentSentence() }}.
            </sw-notice>
          </div>
        }
        @if (own().length === 0) {
          <p>
            Nothing was loaded. An image that is built on this machine is in no cluster until it is loaded.
          </p>
        } @else {
          <ul aria-label="Loaded images">
            @for (image of own(); track image.id) {
              <li>
                <span class="name">{{ nameOf(image) }}</span>
                <span class="where">{{ whereOf(image) }}</span>
                <span class="size">{{ sizeOf(image) }}</span>
              </li>
            }
          </ul>
        }
        @if (builtIn().length > 0) {
          <details>
            <summary>{{ builtInText() }}</summary>
            <ul aria-label="Images that came with the nodes">
              @for (image of builtIn(); track image.id) {
                <li>
                  <span class="name">{{ nameOf(image) }}</span>
                  <span class="where">{{ whereOf(image) }}</span>
                  <span class="size">{{ sizeOf(image) }}</span>
                </li>
              }
            </ul>
          </details>
        }
      } @else if (problem(); as problem) {
        <div class="silent">
          <sw-notice tone="warning" icon="warning">
            {{ problem.message }}
            <button action type="button" class="link" (click)="refresh()">Try now</button>
          </sw-notice>
        </div>
      } @else {
        <sw-skeleton-rows label="Asking the nodes for their images" />
      }
    </section>
  `,
  styles: `
    p {
      padding: 2px 16px 14px;
      color: var(--text-2);
      font-size: var(--fs-sm);
    }
    .silent {
      padding: 0 16px 12px;
    }
    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto 84px;
      gap: 4px 16px;
      align-items: baseline;
      padding: 8px 16px;
      border-top: 1px solid var(--line);
      font-size: var(--fs-sm);
    }
    .name {
      overflow-wrap: anywhere;
      font-family: var(--mono);
      font-size: var(--fs-xs);
    }
    .where,
    .size {
      color: var(--text-3);
      font-size: var(--fs-xs);
      white-space: nowrap;
    }
    .size {
      text-align: right;
    }
    summary {
      padding: 9px 16px;
      border-top: 1px solid var(--line);
      color: var(--text-2);
      font-size: var(--fs-sm);
      cursor: pointer;
    }
    summary:focus-visible {
      outline-offset: -2px;
    }
    @media (width <= 600px) {
      li {
        grid-template-columns: minmax(0, 1fr) auto;
      }
      .name {
        grid-column: 1 / -1;
      }
    }
  `,
})
export class ClusterImages {
  private readonly api = inject(Api);
  private readonly jobs = inject(JobsStore);
  private readonly loads = inject(LoadImages);
  readonly cluster = input.required<ClusterDto>();

  protected readonly found = signal<ClusterImagesDto | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | null>(null);
  /** Only nodes that run can tell, and take. */
  protected readonly asked = computed(() => {
    const { state, nodes } = this.cluster();
    return (state === 'running' || state === 'degraded') && nodes.some((node) => node.state === 'running');
  });
  protected readonly loadable = computed(() => this.cluster().active_job_id === null);
  protected readonly own = computed(() =>
    (this.found()?.images ?? []).filter((image) => !image.part_of_kubernetes),
  );
  protected readonly builtIn = computed(() =>
    (this.found()?.images ?? []).filter((image) => image.part_of_kubernetes),
  );
  protected readonly builtInText = computed(
    () => `${plural(this.builtIn().length, 'image')} of Kubernetes itself, which came with the nodes`,
  );
  protected readonly silent = computed(() =>
    (this.found()?.nodes ?? []).filter(({ reason }) => reason !== null),
  );
  protected readonly silentSentence = computed(() =>
    sentenceList(this.silent().map(({ name, reason }) => `${name}: ${reason ?? ''}`)),
  );
  /** What may have changed the images: the nodes' states, and a load that ended. */
  private readonly stamp = computed(() => {
    const { name, runtime, nodes } = this.cluster();
    const states = nodes.map((node) => `${node.name} ${node.state}`).join();
    // By the jobs that ended: a load may be over before the cluster's record ever told that it is busy.
    const loads = this.jobs
      .jobs()
      .filter(
        (job) =>
          job.kind === 'load-images' && job.cluster === name && job.runtime === runtime && !isActive(job),
      );
    return this.asked() ? `${runtime}/${name} ${loads.length} ${states}` : '';
  });

  constructor() {
    effect(() => {
      if (this.stamp() === '') return;
      untracked(() => void this.refresh());
    });
  }

  protected nameOf({ references, id }: NodeImageDto): string {
    return references.join(', ') || id;
  }

  protected whereOf({ nodes }: NodeImageDto): string {
    const of = this.found()?.nodes.length ?? 0;
    if (nodes.length === of) return of === 1 ? 'its one node' : 'every node';
    return nodes.length === 1 ? (nodes[0] ?? '') : `${nodes.length} of ${of} nodes`;
  }

  protected sizeOf({ size_bytes }: NodeImageDto): string {
    return formatBytes(size_bytes);
  }

  protected async refresh(): Promise<void> {
    const stamp = this.stamp();
    try {
      const found = await this.api.clusterImages(this.cluster());
      if (stamp !== this.stamp()) return;
      this.found.set(found);
      this.problem.set(null);
    } catch (error) {
      if (stamp !== this.stamp()) return;
      this.found.set(undefined);
      this.problem.set(ApiProblem.of(error));
    }
  }

  protected load(): void {
    void this.loads.open(this.cluster());
  }
}
