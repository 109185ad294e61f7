import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { form, type FieldTree, FormField, FormRoot, required } from '@angular/forms/signals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { OfferedChartsDto, RepositoryDto } from '../../shared/api/api-types';
import { Confirm } from '../../shared/ui/confirm';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';
import { AddonsApi } from './addons-api';
import { ClusterAddons } from './cluster-addons';

/** The API's name for uploaded charts in place of a repository. */
const UPLOADED = 'uploaded';
const MAX_CHART_BYTES = 20_000_000;
const DEBOUNCE_MS = 250;

interface RepositoryInput {
  name: string;
  url: string;
  username: string;
  password: string;
}

/** Charts of added repositories, and uploaded charts. All clusters share them. */
@Component({
  selector: 'sw-chart-repositories',
  imports: [FormField, FormRoot, UI],
  templateUrl: './chart-repositories.html',
  styleUrl: './chart-repositories.scss',
})
export class ChartRepositories {
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
  private readonly repository = signal<RepositoryInput>({ name: '', url: '', username: '', password: '' });
  protected readonly form: FieldTree<RepositoryInput> = form(
    this.repository,
    (path) => {
      required(path.name, { message: $localize`Name is required.` });
      required(path.url, { message: $localize`URL is required.` });
    },
    { submission: apiSubmission((repository) => this.add(repository)) },
  );
  protected readonly formProblem = computed(() => formError(this.form));

  protected readonly emptyText = computed(() => {
    if (this.text().trim() !== '') return $localize`No charts match the filter.`;
    return this.chosen() === UPLOADED
      ? $localize`No charts uploaded. Package one with helm package, or add its repository.`
      : $localize`No charts found. OCI registries do not list their charts.`;
  });

  constructor() {
    effect(() => {
      if (this.addons.cluster()) untracked(() => void this.readRepositories());
    });
    effect((onCleanup) => {
      const [repository, text] = [this.chosen(), this.text()];
      if (!this.addons.cluster()) return;
      let current = true;
      const timer = setTimeout(() => void this.readCharts(repository, text, () => current), DEBOUNCE_MS);
      onCleanup(() => {
        current = false;
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
    if (file.size > MAX_CHART_BYTES) {
      this.problem.set($localize`${file.name}:file: is larger than 20 MB, the maximum for a chart.`);
      return;
    }
    await this.change(async () => {
      const { chart, version } = await this.api.upload(key, file);
      this.choose(UPLOADED);
      await this.readCharts(UPLOADED, this.text(), () => true);
      if (!this.addons.blocked()) this.install(UPLOADED, chart, version);
    });
  }

  private async add({ name, url, username, password }: RepositoryInput): Promise<void> {
    const key = this.addons.key();
    if (!key) return;
    await this.api.addRepository(key, {
      name: name.trim(),
      url: url.trim(),
      ...(username.trim() === '' ? {} : { username: username.trim() }),
      ...(password === '' ? {} : { password }),
    });
    this.adding.set(false);
    this.form().reset({ name: '', url: '', username: '', password: '' });
    await this.readRepositories();
    this.choose(name.trim());
  }

  protected async remove({ name, url }: RepositoryDto): Promise<void> {
    const key = this.addons.key();
    const sure = await this.confirm.ask({
      title: $localize`Remove repository ${name}:repository:?`,
      text: [
        $localize`This removes ${url}:url: and its password for all clusters. Installed releases are kept.`,
      ],
      action: $localize`Remove`,
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

  private async readCharts(repository: string, text: string, isCurrent: () => boolean): Promise<void> {
    const key = this.addons.key();
    if (!key) return;
    try {
      const offered = await this.api.charts(key, repository, text);
      if (!isCurrent()) return;
      this.offered.set(offered);
      this.problem.set(null);
    } catch (thrown) {
      if (!isCurrent()) return;
      this.offered.set({ charts: [], total: 0 });
      this.problem.set(ApiProblem.of(thrown).message);
    }
  }
}
