import { Component, computed, effect, inject, input, output } from '@angular/core';
import { clusterKey, isUp } from '../../shared/api/api';
import type { ClusterDto, PlacedPodDto } from '../../shared/api/api-types';
import { podCount } from '../../shared/format/format';
import { sameJson } from '../../shared/format/same-json';
import { changeCount } from '../../shared/live/change-count';
import { StatsStore } from '../../shared/live/stats-store';
import { apiResource } from '../../shared/loading/api-resource';
import { Sparkline } from '../../shared/ui/sparkline';
import { UI } from '../../shared/ui/ui';
import type { LogBoardTarget } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { Shells } from '../shells/shells';
import { engineOf } from './cluster-labels';
import { type NodeUsage, nodeUsages, usageSentence } from './node-usage';
import { PodTiles, tilesLabel } from './pod-tiles';

const STATE_LABELS: Readonly<Record<Exclude<NodeUsage['state'], 'running'>, string>> = {
  created: $localize`Not started`,
  paused: $localize`Paused`,
  restarting: $localize`Restarting`,
  exited: $localize`Stopped`,
  dead: $localize`Dead`,
  removing: $localize`Removing`,
  unknown: $localize`Unknown`,
};

/** The usage of each node, as shares of the host, and its Pods; at most three cards a row. */
@Component({
  selector: 'sw-node-cards',
  imports: [LogLink, PodTiles, Sparkline, UI],
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
            <h3 class="cut sm" [title]="node.rates || node.name">{{ node.shortName }}</h3>
            <span class="sr-only">{{ node.rates }}</span>
            @if (labelOf(node); as label) {
              <span class="state muted xs">{{ label }}</span>
            }
            <span class="address mono muted xs cut end">{{ node.address }}</span>
            @if (node.role !== 'external-load-balancer') {
              <sw-log-link [of]="logsOf(node)" [name]="node.name" />
              @if (node.state === 'running' && !lastSeen()) {
                <button
                  data-writes
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
            <p i18n class="usage muted">No usage data: the engine does not respond.</p>
          } @else if (node.state !== 'running') {
            <p i18n class="usage muted">Uses no CPU or memory.</p>
          } @else if (!node.cpu && !node.memory) {
            <p i18n class="usage muted">Waiting for usage data …</p>
          } @else {
            <dl class="usage">
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
                    <dd class="num muted xs cut">
                      <b class="strong">{{ usage.figure }}</b> {{ usage.whole }}
                    </dd>
                  } @else {
                    <dd class="muted">…</dd>
                  }
                </div>
              }
            </dl>
          }
          @if (podsOf(node.name); as pods) {
            <sw-pod-tiles [key]="key()" [pods]="pods" [label]="tilesLabel(node.name, pods)" />
          }
        </li>
      }
      @if (podsOf(null); as pods) {
        <li class="panel sm">
          <header class="inline">
            <h3 i18n class="cut sm">Not scheduled</h3>
            <span class="muted xs end">{{ podCount(pods.length) }}</span>
          </header>
          <sw-pod-tiles [key]="key()" [pods]="pods" [label]="tilesLabel(null, pods)" />
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
  protected readonly podCount = podCount;
  protected readonly tilesLabel = tilesLabel;
  protected readonly key = computed(() => clusterKey(this.cluster()), { equal: sameJson });
  private readonly isUp = computed(() => isUp(this.cluster()));
  /** Optional: the nodes show without it. */
  private readonly placement = apiResource(
    '/api/v1/clusters/{name}/pods/placement',
    () => (this.isUp() ? this.key() : undefined),
    {
      reloadOn: changeCount(
        () => (this.isUp() ? [`overview:${this.key().runtime}/${this.key().name}`] : []),
        (message) => message.type === 'overview' && 'k8s_pods' in message.blocks,
      ),
    },
  );
  private readonly pods = computed(() =>
    Map.groupBy(this.placement.current()?.pods ?? [], ({ node }) => node),
  );
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

  /** It is known whether there is a card for Pods without a node, which moves what is below. */
  readonly placed = output();

  constructor() {
    this.stats.live.watch();
    effect(() => {
      const { value, problem } = this.placement;
      if (!this.isUp() || value() !== null || problem() !== null) this.placed.emit();
    });
  }

  protected openShell(node: string): void {
    const { name, runtime } = this.cluster();
    this.shells.start({ key: { name, runtime }, target: 'node', node });
  }

  /** Undefined for none. */
  protected podsOf(node: string | null): PlacedPodDto[] | undefined {
    return this.pods().get(node);
  }

  /** Empty for a node that runs. */
  protected labelOf({ state, style }: NodeUsage): string {
    if (this.lastSeen()) return $localize`Last seen`;
    if (state === 'running') return '';
    // "Stopped" would suggest that a user stopped it.
    return state === 'exited' && style === 'bad' ? $localize`Not running` : STATE_LABELS[state];
  }

  protected logsOf({ name }: NodeUsage): LogBoardTarget {
    const { runtime, name: cluster } = this.cluster();
    return { runtime, cluster, node: name };
  }
}
