import { Component, computed, input } from '@angular/core';
import type { ClusterNodeDto, ClusterState } from '../api/api-types';
import { controlPlaneCount, formatList, loadBalancerCount, workerCount } from '../format/format';

type Role = ClusterNodeDto['role'];
/** The state of a node in its cluster: an exited node is `bad` only if the cluster should run. */
export type NodeStyle = 'up' | 'bad' | 'off' | 'paused' | 'todo';

interface Mark {
  role: Role;
  look: NodeStyle;
  /** The first worker, separated from the marks before it. */
  first: boolean;
}

/** More marks are counted, not drawn. */
const MAX_MARKS = 12;

/** The nodes of a cluster as marks: square control plane, circle worker, diamond load balancer. */
@Component({
  selector: 'sw-node-strip',
  template: `
    @for (mark of marks(); track $index) {
      <i [attr.data-role]="mark.role" [attr.data-look]="mark.look" [class.first]="mark.first"></i>
    }
    @if (hidden() > 0) {
      <span class="muted xs">+{{ hidden() }}</span>
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: 4px;
      min-height: 16px;
    }
    i {
      width: 9px;
      height: 9px;
      border-radius: 50%;
      background: var(--text-3);
    }
    i.first {
      margin-left: 4px;
    }
    i[data-role='control-plane'] {
      border-radius: 2px;
    }
    i[data-role='external-load-balancer'] {
      width: 8px;
      height: 8px;
      border-radius: 1px;
      transform: rotate(45deg) scale(0.86);
      background: none;
      box-shadow: inset 0 0 0 1.5px var(--text-3);
    }
    i[data-look='paused'] {
      background: var(--paused-glyph);
    }
    i[data-look='off'] {
      background: none;
      box-shadow: inset 0 0 0 1.5px var(--stopped-glyph);
    }
    i[data-look='todo'] {
      background: none;
      box-shadow: inset 0 0 0 1.5px var(--creating-glyph);
    }
    i[data-look='bad'] {
      width: 11px;
      height: 11px;
      margin: 0 -1px;
      border-radius: 0;
      background: var(--degraded-glyph);
      clip-path: polygon(50% 4%, 100% 96%, 0 96%);
    }
  `,
  host: { role: 'img', '[attr.aria-label]': 'sentence()', '[attr.title]': 'sentence()' },
})
export class NodeStrip {
  readonly nodes = input.required<readonly ClusterNodeDto[]>();
  readonly state = input.required<ClusterState>();
  /** Expected numbers, for a cluster that is being created. */
  readonly controlPlanes = input(0);
  readonly workers = input(0);

  private readonly all = computed(() => {
    const marks: Omit<Mark, 'first'>[] = this.nodes().map((node) => ({
      role: node.role,
      look: nodeStyle(node.state, this.state()),
    }));
    if (this.state() === 'creating') {
      for (const [role, wanted] of [
        ['control-plane', this.controlPlanes()],
        ['worker', this.workers()],
      ] as const) {
        const there = marks.filter((mark) => mark.role === role).length;
        for (let index = there; index < wanted; index += 1) marks.push({ role, look: 'todo' });
      }
    }
    marks.sort((one, other) => ROLES.indexOf(one.role) - ROLES.indexOf(other.role));
    return marks.map((mark, index) => ({
      ...mark,
      first: index > 0 && marks[index - 1]?.role !== mark.role && mark.role === 'worker',
    }));
  });
  protected readonly marks = computed(() => this.all().slice(0, MAX_MARKS));
  protected readonly hidden = computed(() => this.all().length - this.marks().length);

  /** The nodes as a sentence, such as `1 control plane, 2 workers, all running`. */
  protected readonly sentence = computed(() => {
    const marks = this.all();
    if (marks.length === 0) return $localize`no nodes`;
    const parts = ROLES.map((role) => [role, marks.filter((mark) => mark.role === role).length] as const)
      .filter(([, count]) => count > 0)
      .map(([role, count]) => ROLE_COUNTS[role](count));
    return [...parts, conditionOf(marks)].join(', ');
  });
}

const ROLES: readonly Role[] = ['control-plane', 'external-load-balancer', 'worker'];
const ROLE_COUNTS: Readonly<Record<Role, (count: number) => string>> = {
  'control-plane': controlPlaneCount,
  'external-load-balancer': loadBalancerCount,
  worker: workerCount,
};
interface StyleLabels {
  one: string;
  all: string;
  some: (count: number) => string;
}

const STYLE_LABELS: Readonly<Record<NodeStyle, StyleLabels>> = {
  up: { one: $localize`running`, all: $localize`all running`, some: (n) => $localize`${n}:count: running` },
  bad: {
    one: $localize`not running`,
    all: $localize`all not running`,
    some: (n) => $localize`${n}:count: not running`,
  },
  off: { one: $localize`stopped`, all: $localize`all stopped`, some: (n) => $localize`${n}:count: stopped` },
  paused: { one: $localize`paused`, all: $localize`all paused`, some: (n) => $localize`${n}:count: paused` },
  todo: {
    one: $localize`not created yet`,
    all: $localize`all not created yet`,
    some: (n) => $localize`${n}:count: not created yet`,
  },
};

export function nodeStyle(node: ClusterNodeDto['state'], cluster: ClusterState): NodeStyle {
  switch (node) {
    case 'running':
      return 'up';
    case 'paused':
      return 'paused';
    case 'created':
    case 'restarting':
      return cluster === 'creating' || cluster === 'starting' ? 'todo' : 'bad';
    case 'exited':
    case 'dead':
    case 'removing':
      return cluster === 'degraded' || cluster === 'failed' ? 'bad' : 'off';
    case 'unknown':
      return 'off';
  }
}

function conditionOf(marks: readonly Mark[]): string {
  const looks = [...new Set(marks.map(({ look }) => look))];
  const [only] = looks;
  if (looks.length === 1 && only) {
    return marks.length === 1 ? STYLE_LABELS[only].one : STYLE_LABELS[only].all;
  }
  return formatList(
    looks.map((look) => STYLE_LABELS[look].some(marks.filter((mark) => mark.look === look).length)),
  );
}
