import { Component, effect, inject, signal, untracked } from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { OfferedChartsDto, RepositoryDto } from '../../shared/api/api-types';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { AddonsApi } from './addons-api';
import { ClusterAddons } from './cluster-addons';

/** Stands in the place of a repository for charts that were uploaded. */
const UPLOADED = 'uploaded';
const MOST_BYTES = 20_000_000;
const ASK_AFTER_MS = 250;

/** Charts of repositories of one's own, and uploaded ones: the same for all clusters. */
@Component({
  selector: 'sw-own-charts',
  imports: [Icon, Notice, SkeletonRows],
  templateUrl: './own-charts.html',
  styleUrl: './own-charts.scss',
})
export class OwnCharts {
  private readonly api = inject(AddonsApi);
  private readonly confirm = inject(Confirm);
  protected readonly addons = inject(ClusterAddons);
  protected readonly repositories = signal<readonly RepositoryDto[]>([]);
  protected readonly chosen = signal(UPLOADED);
  protected readonly text = signal('');
  protected readonly offered = signal<OfferedChartsDto | undefined>(undefined);
  protected readonly problem = signal<string | null>(null);
  protected readonly adding = signal(false);
  protected readonly busy = signal(false);
  protected readonly uploaded = UPLOADED;

  constructor() {
    effect(() => {
      if (this.addons.cluster()) untracked(() => void this.readRepositories());
    });
    effect((onCleanup) => {
      const [repository, text] = [this.chosen(), this.text()];
      if (!this.addons.cluster()) return;
      let wanted = true;
      const timer = setTimeout(() => void this.readCharts(repository, text, () => wanted), ASK_AFTER_MS);
      onCleanup(() => {
        wanted = false;
        clearTimeout(timer);
      });
    });
  }

  protected choose(repository: string): void {
    if (repository === this.chosen()) return;
    this.offered.set(undefined);
    this.chosen.set(repository);
  }

  protected install(repository: string, chart: string, version: string): void {
    void this.addons.install(chart, { repository, chart, version });
  }

  protected async upload(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    field.value = '';
    const key = this.addons.key();
    if (!file || !key) return;
    if (file.size > MOST_BYTES) {
      this.problem.set(`${file.name} is larger than the 20 MB that a chart may have.`);
      return;
    }
    await this.change(async () => {
      const { chart, version } = await this.api.upload(key, file);
      this.choose(UPLOADED);
      await this.readCharts(UPLOADED, this.text(), () => true);
      if (!this.addons.blocked()) this.install(UPLOADED, chart, version);
    });
  }

  protected async add(event: Event): Promise<void> {
    event.preventDefault();
    const key = this.addons.key();
    if (!key) return;
    const entered = new FormData(event.target as HTMLFormElement);
    const of = (field: string): string => {
      const value = entered.get(field);
      return typeof value === 'string' ? value.trim() : '';
    };
    await this.change(async () => {
      const { name } = await this.api.addRepository(key, {
        name: of('name'),
        url: of('url'),
        ...(of('username') === '' ? {} : { username: of('username') }),
        ...(of('password') === '' ? {} : { password: of('password') }),
      });
      this.adding.set(false);
      await this.readRepositories();
      this.choose(name);
    });
  }

  protected async forget({ name, url }: RepositoryDto): Promise<void> {
    const key = this.addons.key();
    const sure = await this.confirm.ask({
      title: `Forget the repository ${name}?`,
      text: [`${url} and its password are forgotten, for all clusters. What was installed from it stays.`],
      action: `Forget ${name}`,
    });
    if (!sure || !key) return;
    await this.change(async () => {
      this.repositories.set(await this.api.removeRepository(key, name));
      this.choose(UPLOADED);
    });
  }

  private async change(work: () => Promise<void>): Promise<void> {
    this.busy.set(true);
    this.problem.set(null);
    try {
      await work();
    } catch (thrown) {
      this.problem.set(ApiProblem.of(thrown).message);
    } finally {
      this.busy.set(false);
    }
  }

  private async readRepositories(): Promise<void> {
    const key = this.addons.key();
    if (key) await this.change(async () => this.repositories.set(await this.api.repositories(key)));
  }

  private async readCharts(repository: string, text: string, isWanted: () => boolean): Promise<void> {
    const key = this.addons.key();
    if (!key) return;
    try {
      const offered = await this.api.charts(key, repository, text);
      if (!isWanted()) return;
      this.offered.set(offered);
      this.problem.set(null);
    } catch (thrown) {
      if (!isWanted()) return;
      this.offered.set({ charts: [], total: 0 });
      this.problem.set(ApiProblem.of(thrown).message);
    }
  }
}
