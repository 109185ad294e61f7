import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { type FieldTree, form, FormField, FormRoot, validate } from '@angular/forms/signals';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { CloneClusterDto, PortMoveDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { StatsStore } from '../../shared/live/stats-store';
import { ApiResource, TYPING_PAUSE_MS } from '../../shared/loading/api-resource';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';
import { clusterName } from '../create/create-model';

/** The form for a clone, with a preview of changed ports. Its result is the id of the job. */
@Component({
  selector: 'sw-clone-dialog',
  imports: [FormField, FormRoot, UI],
  templateUrl: './clone-dialog.html',
  styleUrl: './clone-dialog.scss',
})
export class CloneDialog {
  protected readonly key = inject<ClusterKey>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<number>>(DialogRef);
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly stats = inject(StatsStore);

  private readonly model = signal({ name: this.freeName(), runtime: this.key.runtime });
  protected readonly form: FieldTree<{ name: string; runtime: string }> = form(
    this.model,
    (path) => {
      clusterName(path.name);
      validate(path.name, ({ value }) => {
        const taken = this.clusters.find(value());
        return taken && { kind: 'taken', message: $localize`Already exists in ${taken.runtime}:engine:.` };
      });
    },
    { submission: apiSubmission((request) => this.clone(request)) },
  );
  private readonly preview = new ApiResource(
    (request: CloneClusterDto, signal) =>
      this.api.send('POST /api/v1/clusters/{name}/clone/check', this.key, request, signal),
    () => (this.form.name().invalid() ? undefined : this.model()),
    { delayMs: TYPING_PAUSE_MS },
  );
  protected readonly check = computed(() =>
    this.form.name().invalid() || this.preview.problem() ? null : this.preview.value(),
  );
  protected readonly error = computed(() => formError(this.form) || this.preview.problem()?.message);
  protected readonly engines = computed(() =>
    (this.stats.stats()?.runtimes ?? []).filter(({ available }) => available).map(({ id }) => id),
  );
  protected readonly portsText = computed(() => {
    const count = this.check()?.moves.length ?? 0;
    return count === 0
      ? $localize`All host ports are available.`
      : plural(count, (n) => ({
          one: $localize`${n}:count: host port is in use and will be replaced:`,
          other: $localize`${n}:count: host ports are in use and will be replaced:`,
        }));
  });

  constructor() {
    this.clusters.live.watch();
    this.stats.live.watch();
  }

  protected placeOf({ where }: PortMoveDto): string {
    return where === 'networking.apiServerPort' ? $localize`API server` : $localize`port mapping`;
  }

  private async clone(request: CloneClusterDto): Promise<void> {
    const { job_id: jobId } = await this.api.send('POST /api/v1/clusters/{name}/clone', this.key, request);
    this.dialog.close(jobId);
  }

  /** `staging-2` for `staging`, or the next free number. */
  private freeName(): string {
    const stem = this.key.name
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/-\d+$/, '')
      .slice(0, 36)
      .replace(/(?<!-)-+$/, '');
    let number = 2;
    while (this.clusters.find(`${stem}-${number}`)) number += 1;
    return `${stem}-${number}`;
  }
}
