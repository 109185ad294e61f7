import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ProvisionLogDto } from '../../shared/api/api-types';
import { formatDuration } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { saveFile } from '../../shared/ui/save-file';
import { UI } from '../../shared/ui/ui';
import { layOutStages, provisionMilliseconds } from './provision-timeline';

/** The stages of the last creation of a cluster, with their output. */
@Component({
  selector: 'sw-provision-log',
  imports: [NgTemplateOutlet, UI],
  templateUrl: './provision-log.html',
  styleUrl: './provision-log.scss',
})
export class ProvisionLog {
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  readonly key = input.required<ClusterKey>();
  /** Created outside Slipway: there is no log. */
  readonly adopted = input(false);
  /** Reloads the log when this value changes. */
  readonly stamp = input('');

  private readonly read = signal<ProvisionLogDto | undefined>(undefined);
  protected readonly log = this.read.asReadonly();
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly none = computed(
    () => this.adopted() || this.problem()?.code === 'provision_log_not_found',
  );
  protected readonly stages = computed(() => {
    const log = this.log();
    return log ? layOutStages(log, log.finished_at === null ? this.clock.now() : 0) : [];
  });
  protected readonly took = computed(() => {
    const log = this.log();
    const milliseconds = log ? provisionMilliseconds(log, this.clock.now()) : null;
    return milliseconds === null ? '' : formatDuration(milliseconds);
  });
  protected readonly duration = formatDuration;
  private requests = 0;

  constructor() {
    effect(() => {
      this.stamp();
      const key = this.key();
      if (!this.adopted()) untracked(() => void this.load(key));
    });
  }

  protected retry(): void {
    void this.load(this.key());
  }

  protected save(): void {
    const log = this.log();
    if (!log) return;
    saveFile(
      `${JSON.stringify(log, undefined, 2)}\n`,
      `${log.cluster}-provision_log.json`,
      'application/json',
    );
  }

  private async load(key: ClusterKey): Promise<void> {
    this.requests += 1;
    const { requests } = this;
    try {
      const log = await this.api.provisionLog(key);
      if (requests !== this.requests) return;
      this.read.set(log);
      this.problem.set(null);
    } catch (error) {
      if (requests === this.requests) this.problem.set(ApiProblem.of(error));
    }
  }
}
