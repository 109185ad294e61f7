import { Component, computed, inject } from '@angular/core';
import { formatBytes, formatCores } from '../../shared/format/format';
import { StatsStore } from '../../shared/live/stats-store';
import { State } from '../../shared/ui/state';
import { UsageBar } from '../../shared/ui/usage-bar';
import { share, sum } from './cluster-rows';

/** What all clusters use of the machine, in one strip. */
@Component({
  selector: 'sw-machine-figures',
  imports: [State, UsageBar],
  template: `
    <dl [class.waiting]="!view()" [attr.aria-busy]="!view()">
      <div>
        <dt>Running</dt>
        <dd>
          <b>{{ view()?.running }}</b> of {{ view()?.total }}
        </dd>
      </div>
      <div>
        <dt>Nodes running</dt>
        <dd>
          <b>{{ view()?.nodesRunning }}</b> of {{ view()?.nodesTotal }}
        </dd>
      </div>
      <div>
        <dt>CPU</dt>
        <dd>
          <b>{{ view()?.cpu }}</b> of {{ view()?.cores }} cores
          <sw-usage-bar [percent]="view()?.cpuShare ?? null" label="CPU, share of the machine" />
        </dd>
      </div>
      <div>
        <dt>Memory{{ view()?.includesCache ? ', cache counted in' : ', cache left out' }}</dt>
        <dd>
          <b>{{ view()?.memory }}</b> of {{ view()?.memoryTotal }}
          <sw-usage-bar [percent]="view()?.memoryShare ?? null" label="Memory, share of the machine" />
        </dd>
      </div>
      @if (view()?.disk; as disk) {
        <div>
          <dt>Disk free for images</dt>
          <dd>
            <b>{{ disk }}</b>
          </dd>
        </div>
      }
      <div class="engines">
        <dt>{{ (view()?.engines?.length ?? 0) === 1 ? 'Engine' : 'Engines' }}</dt>
        @for (engine of view()?.engines; track engine.id) {
          <dd [title]="engine.reason ?? ''">
            <sw-state
              [state]="engine.available ? 'ok' : 'unknown'"
              [word]="false"
              [silent]="engine.available"
            />
            {{ engine.id }}
            <span class="muted">{{ engine.available ? engine.version : 'does not answer' }}</span>
          </dd>
        } @empty {
          <dd>{{ view() ? 'none' : '' }}</dd>
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
      padding: 11px var(--s-5) 12px;
      border-left: 1px solid var(--line);
      min-width: 0;
      flex: 1 1 auto;
    }
    dl > div:first-child {
      border-left: 0;
      padding-left: 0;
    }
    dt {
      font-size: var(--fs-xs);
      color: var(--text-3);
      white-space: nowrap;
    }
    dd {
      display: flex;
      align-items: baseline;
      gap: 6px;
      font-size: var(--fs-sm);
      color: var(--text-2);
      white-space: nowrap;
      min-height: 26px;
    }
    b {
      font-size: var(--fs-xl);
      line-height: 1.25;
      color: var(--text);
      letter-spacing: -0.02em;
      font-weight: 560;
    }
    sw-usage-bar {
      width: 84px;
      align-self: center;
      margin-left: 8px;
    }
    .engines dd {
      flex-wrap: wrap;
      min-height: 20px;
      align-items: center;
    }
    .engines .muted {
      min-width: 0;
      overflow-wrap: anywhere;
      white-space: normal;
    }
    .waiting dd > * {
      visibility: hidden;
    }
    .waiting dd {
      color: transparent;
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
      }
      dl > div:nth-child(n) {
        padding: 9px 0 9px 12px;
        border: 0 solid var(--line);
        border-width: 1px 0 0 1px;
      }
      dl > div:nth-child(odd) {
        border-left: 0;
        padding-left: 0;
      }
      dl > div:nth-child(-n + 2) {
        border-top: 0;
      }
      dl > div:last-child:nth-child(odd) {
        grid-column: 1 / -1;
      }
    }
  `,
})
export class MachineFigures {
  private readonly stats = inject(StatsStore);
  protected readonly view = computed(() => {
    const stats = this.stats.stats();
    if (!stats) return undefined;
    const nodes = stats.cluster_resources.flatMap((entry) => entry.nodes);
    const cpu = sum(nodes.map((node) => node.cpu_percent));
    const memory = sum(nodes.map((node) => node.memory_bytes));
    const { host, clusters, runtimes } = stats;
    return {
      running: clusters.running,
      total: `${clusters.total} ${clusters.total === 1 ? 'cluster' : 'clusters'}`,
      nodesRunning: clusters.nodes_running,
      nodesTotal: clusters.nodes_total,
      cpu: formatCores(cpu ?? 0),
      cores: host.cpu_cores ?? '–',
      cpuShare: share(cpu ?? 0, host.cpu_cores === null ? null : host.cpu_cores * 100),
      memory: formatBytes(memory ?? 0),
      memoryTotal: formatBytes(host.memory_bytes),
      memoryShare: share(memory ?? 0, host.memory_bytes),
      includesCache: runtimes.some((runtime) => runtime.memory_includes_cache),
      disk: host.disk_free_bytes === null ? null : formatBytes(host.disk_free_bytes),
      engines: runtimes,
    };
  });
}
