import { Component, computed, input } from '@angular/core';
import type { ClusterNodeDto, ClusterPortDto } from '../api/api-types';
import {
  controlPlaneCount,
  formatList,
  formatPercent,
  loadBalancerCount,
  portText,
  workerCount,
} from '../format/format';

/** How far the nodes of a cluster are, from 0 to 1. */
export interface NodeFill {
  controlPlane: number;
  worker: number;
}

interface DrawnNode {
  role: ClusterNodeDto['role'];
  fill: number;
  /** The first worker, separated from the nodes before it. */
  first: boolean;
}

/** More ports are counted, not drawn. */
const MAX_PORTS = 6;

/**
 * A cluster as it will be, and while it is created: nodes on the line of the host, with the ports that lead to them. Its
 * shapes are those of `NodeStrip`. They fill from below.
 */
@Component({
  selector: 'sw-cluster-drawing',
  template: `
    <div class="nodes">
      @for (node of nodes(); track $index) {
        <i [attr.data-role]="node.role" [class.first]="node.first" [style.--fill]="node.fill"></i>
      }
    </div>
    <div class="ports xs">
      @for (port of drawn(); track $index) {
        <code>{{ port }}</code>
      }
      @if (more() > 0) {
        <span class="muted">+{{ more() }}</span>
      }
    </div>
    <div class="host xs muted" i18n>This host</div>
  `,
  styles: `
    :host {
      --tone: var(--stopped-glyph);

      display: grid;
      text-align: left;
    }
    :host([data-state='creating']) {
      --tone: var(--creating-glyph);
    }
    :host([data-state='running']) {
      --tone: var(--running-glyph);
    }
    .nodes {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 8px;
      min-height: 52px;
      padding: 10px 12px;
      border-radius: var(--r-lg);
      background: var(--surface);
    }
    i {
      position: relative;
      width: 28px;
      height: 28px;
      border-radius: 50%;
      box-shadow: inset 0 0 0 2px var(--tone);
      overflow: hidden;
    }
    i::before {
      content: '';
      position: absolute;
      inset: 0;
      background: var(--tone);
      transform: translateY(calc(100% - 100% * var(--fill)));
      transition: transform var(--t-slow) var(--ease-out);
    }
    i[data-role='control-plane'] {
      width: 32px;
      height: 32px;
      border-radius: var(--r-md);
    }
    i[data-role='external-load-balancer'] {
      width: 20px;
      height: 20px;
      border-radius: 2px;
      transform: rotate(45deg);
    }
    i.first {
      margin-left: 10px;
    }
    .ports {
      display: flex;
      flex-wrap: wrap;
      align-items: end;
      gap: 0 16px;
      min-height: 36px;
      padding: 0 12px;
    }
    code {
      position: relative;
      padding: 2px 0 2px 8px;
      white-space: nowrap;
    }
    /* From the cluster down to the host. */
    code::before {
      content: '';
      position: absolute;
      inset: -14px auto 0 0;
      border-left: 2px solid var(--tone);
    }
    .host {
      border-top: 2px solid var(--line-strong);
      text-align: right;
    }
    @media (prefers-reduced-motion: reduce) {
      i::before {
        transition: none;
      }
    }
  `,
  host: { role: 'img', '[attr.aria-label]': 'sentence()', '[attr.data-state]': 'state()' },
})
export class ClusterDrawing {
  readonly controlPlanes = input.required<number>();
  readonly workers = input.required<number>();
  readonly ports = input.required<readonly ClusterPortDto[]>();
  /** Null for a cluster that is only planned, or not there. */
  readonly fill = input<NodeFill | null>(null);

  protected readonly nodes = computed(() => {
    const { controlPlane = 0, worker = 0 } = this.fill() ?? {};
    const several = (role: ClusterNodeDto['role'], count: number, fill: number): DrawnNode[] =>
      Array.from({ length: count }, (_, index) => ({ role, fill, first: role === 'worker' && index === 0 }));
    return [
      ...several('control-plane', this.controlPlanes(), controlPlane),
      ...several('external-load-balancer', this.balancers(), controlPlane),
      ...several('worker', this.workers(), worker),
    ];
  });
  private readonly texts = computed(() => this.ports().map(portText));
  protected readonly drawn = computed(() => this.texts().slice(0, MAX_PORTS));
  protected readonly more = computed(() => this.texts().length - this.drawn().length);
  private readonly balancers = computed(() => (this.controlPlanes() > 1 ? 1 : 0));
  /** Of all nodes, from 0 to 1. */
  private readonly share = computed(() => {
    const nodes = this.nodes();
    return nodes.reduce((sum, { fill }) => sum + fill, 0) / Math.max(1, nodes.length);
  });
  protected readonly state = computed(() => {
    if (this.fill() === null) return 'planned';
    return this.share() === 1 ? 'running' : 'creating';
  });

  /** `1 control plane, 2 workers, 40 % created. Ports of this host: 8080 → 80` */
  protected readonly sentence = computed(() => {
    const parts = [
      controlPlaneCount(this.controlPlanes()),
      ...(this.balancers() > 0 ? [loadBalancerCount(this.balancers())] : []),
      workerCount(this.workers()),
    ];
    if (this.fill() !== null) parts.push($localize`${formatPercent(this.share() * 100)}:percent: created`);
    const nodes = parts.join(', ');
    const ports = this.texts();
    return ports.length === 0
      ? nodes
      : $localize`${nodes}:nodes:. Ports of this host: ${formatList(ports)}:ports:`;
  });
}
