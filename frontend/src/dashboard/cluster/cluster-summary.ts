import { Component, computed, input } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { formatFull, nodeCount } from '../../shared/format/format';
import { CopyButton } from '../../shared/ui/copy-button';
import { rawText } from '../../shared/format/raw-text';
import { NodeStrip } from '../../shared/ui/node-strip';
import { PortLinks } from '../clusters/port-links';

@Component({
  selector: 'sw-cluster-summary',
  imports: [CopyButton, NodeStrip, PortLinks],
  template: `
    <section class="panel" aria-labelledby="summary-title">
      <div class="panel-head"><h2 i18n id="summary-title">Details</h2></div>
      <dl>
        @for (entry of copyable(); track entry.title) {
          <div class="full">
            <dt class="muted xs">{{ entry.title }}</dt>
            <dd>
              @if (entry.text; as text) {
                <span class="mono cut" [title]="text">{{ text }}</span>
                <sw-copy-button [text]="text" [name]="entry.copy" />
              } @else {
                <span class="muted">–</span>
              }
            </dd>
          </div>
        }
        <div>
          <dt i18n class="muted xs">Kubernetes</dt>
          <dd>{{ cluster().kubernetes_version ?? '–' }}</dd>
        </div>
        @if (!cluster().external) {
          <div>
            <dt i18n class="muted xs">Engine</dt>
            <dd>{{ cluster().runtime }}</dd>
          </div>
          <div>
            <dt i18n class="muted xs">Nodes</dt>
            <dd>
              @if (cluster().nodes.length > 0) {
                <sw-node-strip [nodes]="cluster().nodes" [state]="cluster().state" />
              }
              <span class="nowrap">{{ nodes() }}</span>
            </dd>
          </div>
          <div>
            <dt i18n class="muted xs">Ports</dt>
            <dd><sw-port-links [ports]="cluster().ports" /></dd>
          </div>
        }
        <div>
          <dt i18n class="muted xs">{cluster().origin, select, external {Added} other {Created}}</dt>
          <dd>
            <time [attr.datetime]="cluster().created_at">{{ full(cluster().created_at) }}</time>
            @if (!cluster().external) {
              <span i18n class="muted">by {{ creator() }}</span>
            }
          </dd>
        </div>
      </dl>
    </section>
  `,
  styles: `
    dl {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: var(--s-3) var(--s-6);
      padding: 0 16px 14px;
    }
    dd {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 6px;
      min-height: 28px;
      font-size: var(--fs-sm);
    }
    .full dd {
      flex-wrap: nowrap;
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
  protected readonly full = formatFull;
  protected readonly copyable = computed(() => {
    const { api_server, nodes, node_image_tag, name, external } = this.cluster();
    if (external) {
      return [
        { title: $localize`API server`, text: shown(external.server), copy: $localize`Copy address` },
        {
          title: $localize`Kubeconfig context`,
          text: shown(external.context),
          copy: $localize`Copy context`,
        },
        { title: $localize`Kubeconfig file`, text: shown(external.file), copy: $localize`Copy path` },
        { title: $localize`User`, text: shown(external.user), copy: $localize`Copy user` },
      ];
    }
    return [
      { title: $localize`API server`, text: api_server, copy: $localize`Copy address` },
      {
        title: $localize`Node image`,
        text: nodes.find(({ role }) => role === 'control-plane')?.image ?? node_image_tag,
        copy: $localize`Copy node image`,
      },
      // As kind names contexts.
      { title: $localize`Kubeconfig context`, text: `kind-${name}`, copy: $localize`Copy context` },
    ];
  });
  protected readonly nodes = computed(() => {
    const { control_planes, workers, nodes } = this.cluster();
    const wanted = nodeCount(control_planes + workers);
    return nodes.length === 0 ? $localize`0 of ${wanted}:nodes:` : wanted;
  });
  protected readonly creator = computed(() =>
    this.cluster().origin === 'adopted' ? $localize`kind, outside Slipway` : 'Slipway',
  );
}

function shown(text: string | null): string | null {
  return text === null ? null : rawText(text);
}
