import { Component, computed, inject, input } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { formatRate } from '../../shared/format/format';
import { StatsStore } from '../../shared/live/stats-store';
import { UsageBar } from '../../shared/ui/usage-bar';
import type { LogBoardTarget } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { engineOf } from './cluster-words';
import { type NodeUsage, nodeUsages, usageSentence } from './node-usage';

const STATE_WORDS: Readonly<Record<NodeUsage['state'], string>> = {
  created: 'Not started',
  running: 'Running',
  paused: 'Paused',
  restarting: 'Restarting',
  exited: 'Stopped',
  dead: 'Dead',
  removing: 'Being removed',
  unknown: 'Not known',
};

/** What each node uses of the machine, at most three cards a row. Bars are shares of the whole machine. */
@Component({
  selector: 'sw-node-cards',
  imports: [LogLink, UsageBar],
  template: `
    <div class="section-head">
      <h2 id="nodes-title">Nodes</h2>
      @if (sentence()) {
        <span class="muted">{{ sentence() }}</span>
      }
      @if (!lastSeen() && hasPeaks()) {
        <span class="acts muted">The tick is the highest since this page watches</span>
      }
    </div>
    <ul class="grid-3" aria-labelledby="nodes-title">
      @for (node of usages(); track node.name) {
        <li
          class="panel"
          [class.off]="node.state !== 'running' || lastSeen()"
          [attr.data-look]="lastSeen() ? 'off' : node.look"
        >
          <header>
            <i [attr.data-role]="node.role" [class.hollow]="node.state !== 'running'" aria-hidden="true"></i>
            <h3 class="cut" [title]="node.name">{{ node.shortName }}</h3>
            <span class="role">
              <span class="state">{{ lastSeen() ? 'Last seen' : wordOf(node) }}</span>
              @if (node.address) {
                <span class="mono">{{ node.address }}</span>
              }
            </span>
            @if (node.role !== 'external-load-balancer') {
              <sw-log-link [of]="logsOf(node)" [name]="node.name" />
            }
          </header>
          @if (node.state !== 'running' || lastSeen()) {
            <p class="none">
              {{
                lastSeen()
                  ? 'Its engine does not answer: there are no figures.'
                  : 'It does not run: it uses no processor and no memory.'
              }}
            </p>
          } @else if (!node.cpu && !node.memory) {
            <p class="none">The first figures are on their way.</p>
          } @else {
            <dl>
              <div class="use">
                <dt>CPU</dt>
                @if (node.cpu; as cpu) {
                  <dd>
                    <sw-usage-bar [percent]="cpu.share" [peak]="cpu.peak" [label]="'CPU of ' + node.name" />
                  </dd>
                  <dd class="value">
                    <b>{{ cpu.figure }}</b> {{ cpu.whole }}
                  </dd>
                } @else {
                  <dd class="value wait">with the second sample</dd>
                }
              </div>
              <div class="use">
                <dt>Memory</dt>
                @if (node.memory; as memory) {
                  <dd>
                    <sw-usage-bar
                      [percent]="memory.share"
                      [peak]="memory.peak"
                      [label]="'Memory of ' + node.name"
                    />
                  </dd>
                  <dd class="value">
                    <b>{{ memory.figure }}</b> {{ memory.whole }}
                  </dd>
                }
              </div>
              @if (node.rates; as rates) {
                <div class="use io">
                  <dt>I/O</dt>
                  <dd>
                    <span title="Received and sent over the network">
                      net <b>{{ rate(rates.received) }}</b> in, <b>{{ rate(rates.sent) }}</b> out
                    </span>
                  </dd>
                </div>
                <div class="use io">
                  <dt></dt>
                  <dd>
                    <span title="Read from and written to disk">
                      disk <b>{{ rate(rates.read) }}</b> read, <b>{{ rate(rates.written) }}</b> written
                    </span>
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
  private readonly stats = inject(StatsStore);
  readonly cluster = input.required<ClusterDto>();

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

  /** One that was to run and does not was not stopped by anybody. */
  protected wordOf({ state, look }: NodeUsage): string {
    return state === 'exited' && look === 'bad' ? 'Not running' : STATE_WORDS[state];
  }

  protected logsOf({ name }: NodeUsage): LogBoardTarget {
    const { runtime, name: cluster } = this.cluster();
    return { runtime, cluster, node: name };
  }
}
