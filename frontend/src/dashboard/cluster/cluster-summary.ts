import { Component, computed, input } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { formatFull, plural } from '../../shared/format/format';
import { CopyButton } from '../../shared/ui/copy-button';
import { NodeStrip } from '../../shared/ui/node-strip';

/** The facts of a cluster that one looks up or pastes. */
@Component({
  selector: 'sw-cluster-summary',
  imports: [CopyButton, NodeStrip],
  template: `
    <dl>
      <div class="full">
        <dt>API server</dt>
        <dd>
          @if (cluster().api_server; as address) {
            <span class="mono cut" [title]="address">{{ address }}</span>
            <sw-copy-button [text]="address" name="Copy the address of the API server" />
          } @else {
            <span class="muted">none</span>
          }
        </dd>
      </div>
      <div>
        <dt>Kubernetes</dt>
        <dd>{{ cluster().kubernetes_version ?? 'not known' }}</dd>
      </div>
      <div>
        <dt>Engine</dt>
        <dd>{{ cluster().runtime }}</dd>
      </div>
      <div>
        <dt>Nodes</dt>
        <dd class="wraps">
          @if (cluster().nodes.length > 0) {
            <sw-node-strip [nodes]="cluster().nodes" [state]="cluster().state" />
          }
          <span class="nowrap">{{ nodes() }}</span>
        </dd>
      </div>
      <div class="full">
        <dt>Node image</dt>
        <dd>
          @if (image(); as image) {
            <span class="mono cut" [title]="image">{{ image }}</span>
            <sw-copy-button [text]="image" name="Copy the node image" />
          } @else {
            <span class="muted">not known</span>
          }
        </dd>
      </div>
      <div class="full">
        <dt>Kubeconfig context</dt>
        <dd>
          <span class="mono cut" [title]="context()">{{ context() }}</span>
          <sw-copy-button [text]="context()" name="Copy the name of the context" />
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <time [attr.datetime]="cluster().created_at">{{ full(cluster().created_at) }}</time>
        </dd>
      </div>
      <div>
        <dt>Made by</dt>
        <dd>{{ cluster().origin === 'adopted' ? 'kind, outside Slipway' : 'Slipway' }}</dd>
      </div>
    </dl>
  `,
  styles: `
    dl {
      display: grid;
      grid-template-columns: minmax(0, 1.5fr) repeat(3, minmax(0, 1fr));
      gap: var(--s-3) var(--s-6);
      margin-top: var(--s-5);
    }
    dt {
      font-size: var(--fs-xs);
      color: var(--text-3);
    }
    dd {
      display: flex;
      align-items: center;
      gap: 6px;
      min-height: 28px;
      min-width: 0;
      font-size: var(--fs-sm);
    }
    .wraps {
      flex-wrap: wrap;
    }
    @media (width <= 1180px) {
      dl {
        grid-template-columns: repeat(2, minmax(0, 1fr));
      }
    }
    @media (width <= 720px) {
      dl {
        gap: 8px 16px;
      }
      .full {
        grid-column: 1 / -1;
      }
    }
  `,
})
export class ClusterSummary {
  readonly cluster = input.required<ClusterDto>();
  protected readonly nodes = computed(() => {
    const { control_planes, workers } = this.cluster();
    const wanted = plural(control_planes + workers, 'node');
    return this.cluster().nodes.length === 0 ? `none of ${wanted}` : wanted;
  });
  /** As the engine names it; before there are nodes, the tag that was asked for. */
  protected readonly image = computed(
    () =>
      this.cluster().nodes.find(({ role }) => role === 'control-plane')?.image ??
      this.cluster().node_image_tag,
  );
  /** kind names contexts so. */
  protected readonly context = computed(() => `kind-${this.cluster().name}`);
  protected readonly full = formatFull;
}
