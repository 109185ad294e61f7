import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, inject, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { Clock } from '../../shared/browser/clock';
import { formatDuration } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { saveFile } from '../../shared/ui/save-file';
import { UI } from '../../shared/ui/ui';
import { jobMilliseconds } from '../jobs/job-time';
import { layOutStages } from './provision-timeline';

@Component({
  selector: 'sw-provision-log',
  imports: [NgTemplateOutlet, UI],
  templateUrl: './provision-log.html',
  styleUrl: './provision-log.scss',
})
export class ProvisionLog {
  private readonly clock = inject(Clock);
  readonly key = input.required<ClusterKey>();
  /** Created outside Slipway: there is no log. */
  readonly adopted = input(false);
  /** Reloads the log when this value changes. */
  readonly stamp = input('');

  protected readonly read = apiResource(
    '/api/v1/clusters/{name}/provision-log',
    () => (this.adopted() ? undefined : this.key()),
    { reloadOn: this.stamp },
  );
  protected readonly log = this.read.value;
  protected readonly problem = this.read.problem;
  protected readonly none = computed(
    () => this.adopted() || this.problem()?.code === 'provision_log_not_found',
  );
  protected readonly stages = computed(() => {
    const log = this.log();
    return log ? layOutStages(log, log.finished_at === null ? this.clock.now() : 0) : [];
  });
  protected readonly took = computed(() => {
    const log = this.log();
    const milliseconds = log ? jobMilliseconds(log, this.clock.now()) : null;
    return milliseconds === null ? '' : formatDuration(milliseconds);
  });
  protected readonly duration = formatDuration;

  protected save(): void {
    const log = this.log();
    if (!log) return;
    saveFile(
      `${JSON.stringify(log, undefined, 2)}\n`,
      `${log.cluster}-provision_log.json`,
      'application/json',
    );
  }
}
