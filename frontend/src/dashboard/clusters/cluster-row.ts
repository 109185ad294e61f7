import { Component, computed, inject, input, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto, JobDto } from '../../shared/api/api-types';
import { formatAgo, formatBytes, formatCores, formatElapsed } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { isActive } from '../../shared/live/jobs-store';
import { engineIcon, Icon, type IconName } from '../../shared/ui/icon';
import { jobNow } from '../../shared/ui/job-labels';
import { NodeStrip } from '../../shared/ui/node-strip';
import { State } from '../../shared/ui/state';
import { STATE_STYLES } from '../../shared/ui/state-styles';
import { UsageBar } from '../../shared/ui/usage-bar';
import { type ClusterAction, foremostOf } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { ClusterMenu } from '../cluster-actions/cluster-menu';
import { JobScreen } from '../job-screen/job-screen';
import { keyOf, type Usage } from './cluster-rows';

interface NextStep {
  action: ClusterAction | 'watch';
  icon: IconName;
  text: string;
  says: string;
  danger: boolean;
}

/** One cluster: what it is, how it is in a sentence, what it uses, and what one would do next. */
@Component({
  selector: 'sw-cluster-row',
  imports: [ClusterMenu, Icon, NodeStrip, RouterLink, State, UsageBar],
  templateUrl: './cluster-row.html',
  styleUrl: './cluster-row.scss',
  host: {
    role: 'row',
    '[attr.data-key]': 'key()',
    '[attr.tabindex]': 'current() ? 0 : -1',
    '[attr.aria-selected]': 'selected()',
    '[class.selected]': 'selected()',
    '[attr.data-tone]': 'tone()',
    '[class.drained]': 'drained()',
    '[class.leaving]': 'cluster().state === "deleting"',
  },
})
export class ClusterRow {
  private readonly clock = inject(Clock);
  private readonly screen = inject(JobScreen);
  private readonly actions = inject(ClusterActions);
  readonly cluster = input.required<ClusterDto>();
  /** The job at work on it. */
  readonly job = input<JobDto>();
  readonly usage = input<Usage>();
  /** The list could not be read any more: this is what was last seen. */
  readonly stale = input(false);
  /** The one row that the keyboard gets to with the tab key, and what is in it. */
  readonly current = input(false);
  readonly selected = input(false);
  /** Its box was clicked; with shift, all from the one before are meant. */
  readonly picked = output<boolean>();

  protected readonly key = computed(() => keyOf(this.cluster()));
  protected readonly page = computed(() => clusterPage(this.cluster()));
  protected readonly engine = computed(() => engineIcon(this.cluster().runtime));
  protected readonly version = computed(
    () => this.cluster().kubernetes_version ?? this.cluster().node_image_tag?.split('@')[0] ?? '–',
  );
  protected readonly word = computed(() => STATE_STYLES[this.cluster().state].word);
  protected readonly drained = computed(() => this.stale() || this.cluster().state === 'unknown');
  protected readonly tone = computed(() => {
    if (this.drained()) return null;
    const { color } = STATE_STYLES[this.cluster().state];
    return color === 'degraded' || color === 'failed' ? color : null;
  });
  protected readonly color = computed(() => STATE_STYLES[this.cluster().state].color);

  /** What follows the state's word. */
  protected readonly rest = computed(() => {
    const { state_reason: reason, state_since: since } = this.cluster();
    // `Failed at Joining worker nodes: …` reads on; any other reason is a sentence of its own.
    const link = reason?.startsWith('at ') ? ' ' : ': ';
    if (reason) return `${link}${reason}${this.cluster().state === 'unknown' ? this.sinceLabel(since) : ''}`;
    if (!since) return '';
    const now = this.clock.now();
    switch (this.cluster().state) {
      case 'running':
      case 'creating':
      case 'starting':
      case 'stopping':
      case 'deleting':
        return ` for ${formatElapsed(now - Date.parse(since))}`;
      case 'paused':
      case 'stopped':
      case 'degraded':
      case 'failed':
      case 'missing':
      case 'unknown':
        return ` ${formatAgo(since, now)}`;
    }
  });

  protected readonly work = computed(() => {
    const job = this.job();
    if (!job || !isActive(job)) return undefined;
    const begun = job.progress_steps.filter(({ state }) => state !== 'pending').length;
    return {
      job,
      title: jobNow(job),
      place: job.state === 'queued' || begun === 0 ? '' : `step ${begun} of ${job.progress_steps.length}`,
      percent: Math.floor(job.progress_percent),
    };
  });
  protected readonly cpu = computed(() => {
    const usage = this.usage();
    return usage && usage.cpuPercent !== null
      ? { share: usage.cpuShare, peak: usage.cpuPeakShare, text: formatCores(usage.cpuPercent) }
      : undefined;
  });
  protected readonly memory = computed(() => {
    const usage = this.usage();
    if (!usage || usage.memoryBytes === null) return undefined;
    const [value = '', unit = ''] = formatBytes(usage.memoryBytes).split(' ');
    return { share: usage.memoryShare, peak: usage.memoryPeakShare, value, unit };
  });
  /** What one would do next: watch the job at work, or the likeliest action. One element, which keeps the focus. */
  protected readonly next = computed<NextStep[]>(() => {
    const { name, active_job_id: job } = this.cluster();
    if (job !== null) {
      return [
        {
          action: 'watch',
          icon: 'pulse',
          text: 'Watch',
          says: `Watch the job at work on ${name}`,
          danger: false,
        },
      ];
    }
    const [offer] = this.stale() ? [] : foremostOf(this.cluster());
    return offer ? [{ ...offer, danger: offer.action === 'delete' }] : [];
  });
  protected readonly beside = computed(() =>
    this.next().flatMap(({ action }) => (action === 'watch' ? [] : [action])),
  );

  protected pick(event: MouseEvent): void {
    // A range keeps a box that the click would empty.
    if (event.shiftKey) event.preventDefault();
    this.picked.emit(event.shiftKey);
  }

  protected act(action: NextStep['action']): void {
    const { active_job_id: job } = this.cluster();
    if (action !== 'watch') void this.actions.run(action, this.cluster());
    else if (job !== null) void this.screen.open(job);
  }

  private sinceLabel(since: string | null): string {
    return since ? `, last seen ${formatAgo(since, this.clock.now())}` : '';
  }
}
