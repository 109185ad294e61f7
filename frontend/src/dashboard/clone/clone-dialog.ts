import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { CloneCheckDto, CloneClusterDto, PortMoveDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { StatsStore } from '../../shared/live/stats-store';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { CLUSTER_NAME, nameComplaint } from '../create/create-rules';

const CHECK_AFTER_MS = 300;

/** Asks for the name of a clone, and shows before it is made which ports move. */
@Component({
  selector: 'sw-clone-dialog',
  imports: [Icon, Notice],
  templateUrl: './clone-dialog.html',
  styleUrl: './clone-dialog.scss',
})
export class CloneDialog {
  protected readonly key = inject<ClusterKey>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<number>>(DialogRef);
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly stats = inject(StatsStore);

  protected readonly name = signal(this.freeName());
  protected readonly runtime = signal(this.key.runtime);
  protected readonly check = signal<CloneCheckDto | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly sending = signal(false);
  protected readonly engines = computed(() =>
    (this.stats.stats()?.runtimes ?? []).filter(({ available }) => available).map(({ id }) => id),
  );
  private readonly request = computed<CloneClusterDto>(() => ({
    name: this.name().trim(),
    runtime: this.runtime(),
  }));
  /** What is wrong with the name: by the rules of every cluster, or because another has it. */
  protected readonly complaint = computed(() => {
    const name = this.name().trim();
    if (!CLUSTER_NAME.test(name)) {
      return `It ${nameComplaint(name)} Small letters, digits and hyphens, up to 40, such as staging-eu.`;
    }
    const taken = this.clusters.clusters().find((cluster) => cluster.name === name);
    return taken ? `There is a cluster of this name in ${taken.runtime} already.` : null;
  });
  protected readonly movesText = computed(() => {
    const moves = this.check()?.moves ?? [];
    if (moves.length === 0) return 'All of its host ports are free: none has to move.';
    if (moves.length === 1) return 'One host port moves, since somebody has the old one:';
    return `${moves.length} host ports move, since somebody has the old ones:`;
  });

  constructor() {
    this.clusters.live.watch();
    this.stats.live.watch();
    effect((onCleanup) => {
      const request = this.request();
      if (this.complaint() !== null) {
        untracked(() => this.check.set(undefined));
        return;
      }
      const timer = setTimeout(() => void this.look(request), CHECK_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected close(): void {
    this.dialog.close();
  }

  protected placeOf({ where }: PortMoveDto): string {
    return where === 'networking.apiServerPort' ? 'API server' : 'port mapping';
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending() || this.complaint() !== null) return;
    this.sending.set(true);
    try {
      const { job_id: jobId } = await this.api.cloneCluster(this.key, this.request());
      this.dialog.close(jobId);
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
      this.sending.set(false);
    }
  }

  private async look(request: CloneClusterDto): Promise<void> {
    try {
      const check = await this.api.checkClone(this.key, request);
      if (request !== this.request()) return;
      this.check.set(check);
      this.problem.set(null);
    } catch (error) {
      if (request !== this.request()) return;
      this.check.set(undefined);
      this.problem.set(ApiProblem.of(error));
    }
  }

  /** staging-2 of staging, staging-3 where that is taken. */
  private freeName(): string {
    const taken = new Set(this.clusters.clusters().map(({ name }) => name));
    const stem = this.key.name
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/-\d+$/, '')
      .slice(0, 36)
      .replace(/-+$/, '');
    for (let number = 2; ; number += 1) {
      if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
    }
  }
}
