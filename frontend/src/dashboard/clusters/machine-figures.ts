import { Component, computed, inject } from '@angular/core';
import { formatBytes, formatCores } from '../../shared/format/format';
import { StatsStore } from '../../shared/live/stats-store';
import { UI } from '../../shared/ui/ui';
import { share, sum } from './cluster-rows';

@Component({
  selector: 'sw-machine-figures',
  imports: [UI],
  template: `
    <dl [class.waiting]="!view()" [attr.aria-busy]="!view()">
      <div>
        <dt i18n class="muted xs nowrap">Clusters running</dt>
        <dd i18n>
          <b>{{ view()?.running }}</b> of {{ view()?.total }}
        </dd>
      </div>
      <div>
        <dt i18n class="muted xs nowrap">Nodes running</dt>
        <dd i18n>
          <b>{{ view()?.nodesRunning }}</b> of {{ view()?.nodesTotal }}
        </dd>
      </div>
      <div>
        <dt i18n class="muted xs nowrap">CPU</dt>
        <dd i18n>
          <b>{{ view()?.cpu }}</b> of {{ view()?.cores }} cores
          <sw-usage-bar label="CPU, share of the host" i18n-label [percent]="view()?.cpuShare ?? null" />
        </dd>
      </div>
      <div>
        <dt class="muted xs nowrap">{{ view()?.memoryTitle ?? memoryTitle }}</dt>
        <dd i18n>
          <b>{{ view()?.memory }}</b> of {{ view()?.memoryTotal }}
          <sw-usage-bar
            label="Memory, share of the host"
            i18n-label
            [percent]="view()?.memoryShare ?? null"
          />
        </dd>
      </div>
      <div>
        <dt i18n class="muted xs nowrap">Free disk space for images</dt>
        <dd>
          <b>{{ view()?.disk }}</b>
        </dd>
      </div>
      <div class="engines">
        <dt i18n class="muted xs nowrap">Engines</dt>
        @for (engine of view()?.engines; track engine.id) {
          <dd [title]="engine.reason ?? ''">
            <sw-state [state]="engine.available ? 'ok' : 'unknown'" [silent]="engine.available" />
            {{ engine.id }}
            <span class="muted anywhere">
              @if (engine.available) {
                {{ engine.version }}
              } @else {
                <ng-container i18n>does not respond</ng-container>
              }
            </span>
          </dd>
        } @empty {
          <dd i18n>None</dd>
        }
      </div>
    </dl>
  `,
  styles: `
    dl {
      display: flex;
      margin-top: var(--s-5);
      border-block: 1px solid var(--line);
    }
    dl > div {
      flex: 1 1 auto;
      min-width: 0;
      padding: 11px var(--s-5) 12px;
      border-left: 1px solid var(--line);
    }
    dl > div:first-child {
      border-left: 0;
      padding-left: 0;
    }
    dd {
      display: flex;
      align-items: baseline;
      gap: 6px;
      font-size: var(--fs-sm);
      color: var(--text-2);
      white-space: nowrap;
    }
    b {
      font-size: var(--fs-xl);
      line-height: 1.25;
      color: var(--text);
      font-weight: 560;
    }
    sw-usage-bar {
      width: 84px;
      align-self: center;
      margin-left: 8px;
    }
    .engines dd {
      flex-wrap: wrap;
      align-items: center;
      white-space: normal;
    }
    .waiting dd {
      width: 96px;
      max-width: 100%;
      height: 14px;
      margin-block: 6px;
      border-radius: 3px;
      background: var(--meter-track);
      overflow: hidden;
      text-indent: 100vw;
    }
    .waiting dd > * {
      visibility: hidden;
    }
    @media (width <= 1180px) {
      dl > div {
        padding-inline: 14px;
      }
      sw-usage-bar {
        display: none;
      }
    }
    @media (width <= 960px) {
      dl {
        display: grid;
        grid-template-columns: 1fr 1fr;
        padding-block: 6px;
      }
      dl > div {
        padding: 6px 0;
        border: 0;
      }
    }
    /* Such as at a zoom of 200 %: the list has to fit below. */
    @media (width <= 960px) and (height <= 520px) {
      dl {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--s-5);
        margin-top: 0;
      }
      dl > div {
        display: flex;
        flex: none;
        gap: 8px;
        align-items: baseline;
        padding: 0;
      }
      b {
        font-size: inherit;
      }
    }
  `,
})
export class MachineFigures {
  private readonly stats = inject(StatsStore);
  protected readonly memoryTitle = $localize`Memory, excluding cache`;
  protected readonly view = computed(() => {
    const stats = this.stats.stats();
    if (!stats) return undefined;
    const nodes = stats.cluster_resources.flatMap((entry) => entry.nodes);
    const { host, clusters, runtimes } = stats;
    // Nodes that have just started were not measured yet.
    const none = clusters.nodes_running === 0 ? 0 : null;
    const cpu = sum(nodes.map((node) => node.cpu_percent)) ?? none;
    const memory = sum(nodes.map((node) => node.memory_bytes)) ?? none;
    return {
      running: clusters.running,
      total: clusters.total,
      nodesRunning: clusters.nodes_running,
      nodesTotal: clusters.nodes_total,
      cpu: formatCores(cpu),
      cores: host.cpu_cores ?? '–',
      cpuShare: share(cpu, host.cpu_cores === null ? null : host.cpu_cores * 100),
      memory: formatBytes(memory),
      memoryTotal: formatBytes(host.memory_bytes),
      memoryShare: share(memory, host.memory_bytes),
      memoryTitle: runtimes.some((runtime) => runtime.memory_includes_cache)
        ? $localize`Memory, including cache`
        : this.memoryTitle,
      disk: formatBytes(host.disk_free_bytes),
      engines: runtimes,
    };
  });
}
