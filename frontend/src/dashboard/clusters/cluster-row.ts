import { Component, computed, inject, input, output } from '@angular/core';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto, JobDto, ProblemDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import {
  formatAgo,
  formatBytes,
  formatCores,
  formatElapsed,
  podCount,
  restartCount,
} from '../../shared/format/format';
import { rawText } from '../../shared/format/raw-text';
import { isActive } from '../../shared/live/jobs-store';
import { engineIcon } from '../../shared/ui/icon';
import { jobNow } from '../../shared/ui/job-labels';
import { ColorMark } from '../../shared/ui/color-mark';
import { NodeStrip } from '../../shared/ui/node-strip';
import { Sparkline } from '../../shared/ui/sparkline';
import { isTrend } from '../../shared/ui/sparkline-points';
import { STATE_STYLES } from '../../shared/ui/state-styles';
import { timeLeft } from '../../shared/ui/time-left';
import { UI } from '../../shared/ui/ui';
import {
  type ClusterAction,
  type OfferedAction,
  primaryActionsOf,
} from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { ClusterMenu } from '../cluster-actions/cluster-menu';
import { ExternalClusters } from '../external/external-clusters';
import { isExternal, shownState } from '../external/external-labels';
import { JobScreen } from '../job-handle/job-screen';
import { brokenWorkloads, problemPage, problemSummary } from '../resource-model/problem-labels';
import { keyOf, type Usage } from './cluster-rows';
import { PortLinks } from './port-links';

/** Jobs whose outcome is the state of the cluster. */
const STATE_JOBS = ['create', 'clone', 'recreate', 'start', 'stop', 'pause', 'unpause', 'delete'];
/** Problems that are named in the row. */
const MOST_NAMED = 3;

type NextStep = Pick<OfferedAction, 'icon' | 'text' | 'tooltip'> & {
  action: ClusterAction | 'watch' | 'check' | 'allow-plugin';
};

@Component({
  selector: 'sw-cluster-row',
  imports: [ClusterMenu, ColorMark, NodeStrip, PortLinks, Sparkline, UI],
  templateUrl: './cluster-row.html',
  styleUrl: './cluster-row.scss',
  host: {
    role: 'row',
    // Its content is too long to be read at each step in the list.
    '[attr.aria-label]': 'cluster().name + ", " + style().word',
    '[attr.data-key]': 'key()',
    '[attr.tabindex]': 'current() ? 0 : -1',
    '[attr.aria-selected]': 'selected()',
    '[class.selected]': 'selected()',
    '[class.drained]': 'drained()',
  },
})
export class ClusterRow {
  private readonly clock = inject(Clock);
  private readonly screen = inject(JobScreen);
  private readonly actions = inject(ClusterActions);
  private readonly external = inject(ExternalClusters);
  protected readonly raw = rawText;
  readonly cluster = input.required<ClusterDto>();
  readonly job = input<JobDto>();
  readonly usage = input<Usage>();
  /** No usage is loaded yet. */
  readonly waiting = input(false);
  /** Problems of the cluster; undefined before that is loaded. */
  readonly problems = input<readonly ProblemDto[]>();
  /** The list is outdated. */
  readonly stale = input(false);
  /** The one row in the tab order. */
  readonly current = input(false);
  readonly selected = input(false);
  /** The checkbox was clicked; true with Shift, for a range. */
  readonly picked = output<boolean>();

  protected readonly key = computed(() => keyOf(this.cluster()));
  protected readonly page = computed(() => clusterPage(this.cluster()));
  protected readonly engine = computed(() => engineIcon(this.cluster().runtime));
  protected readonly version = computed(
    () => this.cluster().kubernetes_version ?? this.cluster().node_image_tag?.split('@')[0] ?? '–',
  );
  protected readonly state = computed(() => shownState(this.cluster()));
  protected readonly style = computed(() => STATE_STYLES[this.state()]);
  protected readonly tone = computed(() => (this.drained() ? null : this.style().color));
  protected readonly drained = computed(() => this.stale() || this.cluster().state === 'unknown');

  protected readonly detail = computed(() => {
    const { state, state_reason: reason, state_since: since } = this.cluster();
    const now = this.clock.now();
    if (reason) {
      // Reads on as `Failed at Joining worker nodes: …`; other reasons are clauses.
      const text = reason.startsWith('at ') ? ` ${reason}` : `: ${reason}`;
      if (this.cluster().external && since) {
        return $localize`${text}:reason:, for ${formatElapsed(now - Date.parse(since))}:duration:`;
      }
      return state === 'unknown' && since
        ? $localize`${text}:reason:, last seen ${formatAgo(since, now)}:time:`
        : text;
    }
    // An external cluster ran before Slipway knew of it.
    if (!since || this.cluster().external) return '';
    return ['running', 'creating', 'starting', 'stopping', 'deleting'].includes(state)
      ? $localize` for ${formatElapsed(now - Date.parse(since))}:duration:`
      : ` ${formatAgo(since, now)}`;
  });

  protected readonly broken = computed(() => {
    const count = this.cluster().problems ?? 0;
    if (count === 0) return undefined;
    const named = this.problems()?.slice(0, MOST_NAMED) ?? [];
    return {
      text: brokenWorkloads(count),
      named: named.map((problem) => ({
        name: problem.name,
        page: problemPage(problem),
        summary: problemSummary(problem, this.clock.now()),
      })),
      more: named.length === 0 ? 0 : Math.max(0, count - named.length),
    };
  });

  /** Nothing listens on the ports of a cluster that does not run. */
  protected readonly ports = computed(() =>
    this.cluster().nodes.some(({ state }) => state === 'running') ? this.cluster().ports : [],
  );
  /** Ready Pods and recent restarts; undefined while unknown. */
  protected readonly pods = computed(() => {
    const { pods } = this.cluster();
    if (!pods) return undefined;
    const { ready, total, restarts_last_hour: restarts } = pods;
    const text = $localize`${ready}:ready:/${podCount(total)}:pods:`;
    return {
      text: restarts === 0 ? text : `${text},`,
      title: $localize`${ready}:ready: of ${podCount(total)}:pods: ready, ${restartCount(restarts)}:restarts: in the last hour`,
      restarts: restarts === 0 ? '' : restartCount(restarts),
    };
  });
  /** The newest change. The state tells those of the cluster itself. */
  protected readonly change = computed(() => {
    const { name, last_change: change } = this.cluster();
    if (!change || STATE_JOBS.includes(change.kind)) return undefined;
    return {
      ago: formatAgo(change.time, this.clock.now()),
      text: change.message,
      journal: `/journal?cluster=${encodeURIComponent(name)}`,
    };
  });

  protected readonly work = computed(() => {
    const job = this.job();
    if (!job || !isActive(job)) return undefined;
    const { progress_steps: steps, progress_percent: percent } = job;
    const step = steps.filter(({ state }) => state !== 'pending').length;
    const place = $localize`step ${step}:step: of ${steps.length}:count:`;
    return {
      title: jobNow(job),
      place: [job.state === 'queued' || step === 0 ? '' : place, timeLeft(job)].filter(Boolean).join(', '),
      percent: Math.floor(percent),
    };
  });
  protected readonly unknown = formatCores(null);
  protected readonly figures = computed(() => {
    const usage = this.usage();
    const values = usage?.cpuTrend ?? [];
    const highest = formatCores(Math.max(usage?.cpuPercent ?? 0, ...values.map((value) => value ?? 0)));
    return [
      {
        name: 'cpu',
        title: $localize`CPU`,
        label: $localize`CPU, share of the host`,
        text: formatCores(usage?.cpuPercent),
        share: usage?.cpuShare ?? null,
        peak: usage?.cpuPeakShare ?? null,
        trend: {
          values,
          isTrend: isTrend(values),
          label: $localize`CPU over the last hour: now ${formatCores(usage?.cpuPercent)}:now:, peak ${highest}:peak: cores`,
        },
      },
      {
        name: 'memory',
        title: $localize`Memory`,
        label: $localize`Memory, share of the host`,
        text: formatBytes(usage?.memoryBytes),
        share: usage?.memoryShare ?? null,
        peak: usage?.memoryPeakShare ?? null,
        trend: undefined,
      },
    ];
  });
  /** A list of one at most, so that the button keeps its element and the focus when it changes. */
  protected readonly next = computed<NextStep[]>(() => {
    const { name, active_job_id: job } = this.cluster();
    if (job !== null) {
      const tooltip = $localize`View the running job of ${name}:cluster:`;
      return [{ action: 'watch', icon: 'pulse', text: $localize`View job`, tooltip }];
    }
    if (this.stale()) return [];
    const { external, state } = this.cluster();
    if (external?.needs_consent) {
      const tooltip = $localize`Show the program with which ${name}:cluster: signs in`;
      return [{ action: 'allow-plugin', icon: 'key', text: $localize`Allow plugin…`, tooltip }];
    }
    if (external && state !== 'running') {
      const tooltip = $localize`Check now whether ${name}:cluster: responds`;
      return [{ action: 'check', icon: 'refresh', text: $localize`Retry`, tooltip }];
    }
    return primaryActionsOf(this.cluster()).slice(0, 1);
  });
  protected readonly beside = computed(() =>
    primaryActionsOf(this.cluster())
      .map(({ action }) => action)
      .filter((action) => this.next().some((next) => next.action === action)),
  );

  protected pick(event: MouseEvent): void {
    // A range selection keeps a checkbox that the click would clear.
    if (event.shiftKey) event.preventDefault();
    this.picked.emit(event.shiftKey);
  }

  protected run(action: NextStep['action']): void {
    const cluster = this.cluster();
    const { active_job_id: job } = cluster;
    if (action === 'watch') {
      if (job !== null) void this.screen.open(job);
    } else if (action !== 'check' && action !== 'allow-plugin') void this.actions.run(action, cluster);
    else if (isExternal(cluster)) {
      void (action === 'check' ? this.external.check(cluster) : this.external.allowPlugin(cluster));
    }
  }
}
