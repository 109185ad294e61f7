import { Component, computed, inject, input } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { formatRate } from '../../shared/format/format';
import { StatsStore } from '../../shared/live/stats-store';
import { Sparkline } from '../../shared/ui/sparkline';
import { UI } from '../../shared/ui/ui';
import type { LogBoardTarget } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { Shells } from '../shells/shells';
import { engineOf } from './cluster-labels';
import { type NodeUsage, nodeUsages, usageSentence } from './node-usage';

const STATE_LABELS: Readonly<Record<NodeUsage['state'], string>> = {
  created: $localize`Not started`,
  running: $localize`Running`,
  paused: $localize`Paused`,
  restarting: $localize`Restarting`,
  exited: $localize`Stopped`,
  dead: $localize`Dead`,
  removing: $localize`Removing`,
  unknown: $localize`Unknown`,
};

/** The usage of each node, as shares of the host, at most three cards a row. */
@Component({
  selector: 'sw-node-cards',
  imports: [LogLink, Sparkline, UI],
  template: `
    <div class="section-head">
      <h2 i18n id="nodes-title">Nodes</h2>
      <span class="muted">{{ sentence() }}</span>
      @if (!lastSeen() && hasPeaks()) {
        <span class="acts muted" i18n>Ticks mark peak usage</span>
      }
    </div>
    <ul class="grid-3" aria-labelledby="nodes-title">
      @for (node of usages(); track node.name) {
        <li class="panel sm" [attr.data-style]="lastSeen() ? 'off' : node.style">
          <header class="inline">
            <i [attr.data-role]="node.role" [class.hollow]="node.state !== 'running'" aria-hidden="true"></i>
            <h3 class="cut sm" [title]="node.name">{{ node.shortName }}</h3>
            <span class="state muted xs end">{{ labelOf(node) }}</span>
            @if (node.address) {
              <span class="mono muted xs">{{ node.address }}</span>
            }
            @if (node.role !== 'external-load-balancer') {
              <sw-log-link [of]="logsOf(node)" [name]="node.name" />
              @if (node.state === 'running' && !lastSeen()) {
                <button
                  class="btn small"
                  swAriaLabel="Shell in {{ node.name }}"
                  i18n-swAriaLabel
                  (click)="openShell(node.name)"
                >
                  <sw-icon name="terminal" /><ng-container i18n>Shell</ng-container>
                </button>
              }
            }
          </header>
          @if (lastSeen()) {
            <p i18n class="none muted">No usage data: the engine does not respond.</p>
          } @else if (node.state !== 'running') {
            <p i18n class="none muted">Uses no CPU or memory.</p>
          } @else if (!node.cpu && !node.memory) {
            <p i18n class="waiting muted">Waiting for usage data …</p>
          } @else {
            <dl>
              @for (part of parts; track part.name) {
                <div>
                  <dt class="muted">{{ part.title }}</dt>
                  @if (node[part.name]; as usage) {
                    <dd>
                      <sw-usage-bar
                        label="{{ part.title }} of {{ node.name }}"
                        i18n-label
                        [percent]="usage.share"
                        [peak]="usage.peak"
                      />
                    </dd>
                    <dd>
                      <sw-sparkline
                        [values]="node.trends[part.name].values"
                        [label]="node.trends[part.name].label"
                      />
                    </dd>
                    <dd class="num muted">
                      <b class="strong">{{ usage.figure }}</b> {{ usage.whole }}
                    </dd>
                  } @else {
                    <dd class="muted">…</dd>
                  }
                </div>
              }
              @if (node.rates; as rates) {
                <div>
                  <dt i18n class="muted">Network</dt>
                  <dd class="cut wide muted" i18n>
                    <b class="strong">{{ rate(rates.received) }}</b> in,
                    <b class="strong">{{ rate(rates.sent) }}</b> out
                  </dd>
                </div>
                <div>
                  <dt i18n class="muted">Disk</dt>
                  <dd class="cut wide muted" i18n>
                    <b class="strong">{{ rate(rates.read) }}</b> read,
                    <b class="strong">{{ rate(rates.written) }}</b> written
                  </dd>
                </div>
              }
            </dl>
          }
        </li>
      }
    </ul>
  `,
  styleUrl: './node-cards.scss',
})
export class NodeCards {
  private readonly shells = inject(Shells);
  private readonly stats = inject(StatsStore);
  readonly cluster = input.required<ClusterDto>();

  protected readonly parts = [
    { name: 'cpu', title: $localize`CPU` },
    { name: 'memory', title: $localize`Memory` },
  ] as const;
  protected readonly rate = formatRate;
  protected readonly lastSeen = computed(() => this.cluster().state === 'unknown');
  private readonly engine = computed(() => engineOf(this.stats.stats(), this.cluster().runtime));
  private readonly samples = computed(() => this.stats.of(this.cluster())?.nodes ?? []);
  protected readonly usages = computed(() => nodeUsages(this.cluster(), this.samples(), this.engine()?.host));
  protected readonly sentence = computed(() =>
    this.lastSeen()
      ? ''
      : usageSentence(
          this.usages(),
          this.samples(),
          this.engine()?.host,
          this.engine()?.memory_includes_cache ?? false,
        ),
  );
  protected readonly hasPeaks = computed(() =>
    this.usages().some(({ cpu, memory }) => (cpu?.peak ?? memory?.peak ?? null) !== null),
  );

  constructor() {
    this.stats.live.watch();
  }

  protected openShell(node: string): void {
    const { name, runtime } = this.cluster();
    this.shells.start({ key: { name, runtime }, target: 'node', node });
  }

  protected labelOf({ state, style }: NodeUsage): string {
    if (this.lastSeen()) return $localize`Last seen`;
    // "Stopped" would suggest that a user stopped it.
    return state === 'exited' && style === 'bad' ? $localize`Not running` : STATE_LABELS[state];
  }

  protected logsOf({ name }: NodeUsage): LogBoardTarget {
    const { runtime, name: cluster } = this.cluster();
    return { runtime, cluster, node: name };
  }
}
