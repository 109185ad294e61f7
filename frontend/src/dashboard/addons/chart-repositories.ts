import { Component, computed, inject, signal } from '@angular/core';
import { form, type FieldTree, FormField, FormRoot, required } from '@angular/forms/signals';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AddRepositoryDto, RepositoryDto } from '../../shared/api/api-types';
import { apiResource, ApiResource, TYPING_PAUSE_MS } from '../../shared/loading/api-resource';
import { Confirm } from '../../shared/ui/confirm';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';
import { ClusterAddons } from './cluster-addons';

/** The API's name for uploaded charts in place of a repository. */
const UPLOADED = 'uploaded';
const MAX_CHART_BYTES = 20_000_000;

interface ChartSearch {
  key: ClusterKey;
  repository: string;
  text: string;
}

type RepositoryInput = Required<AddRepositoryDto>;

/** Charts of added repositories, and uploaded charts. All clusters share them. */
@Component({
  selector: 'sw-chart-repositories',
  imports: [FormField, FormRoot, UI],
  templateUrl: './chart-repositories.html',
  styleUrl: './chart-repositories.scss',
})
export class ChartRepositories {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  protected readonly addons = inject(ClusterAddons);
  protected readonly chosen = signal(UPLOADED);
  protected readonly text = signal('');
  private readonly repositoryList = apiResource('/api/v1/clusters/{name}/addons/repositories', () =>
    this.addons.key(),
  );
  protected readonly repositories = computed(() => this.repositoryList.value() ?? []);
  private readonly search = new ApiResource(
    async ({ key, repository, text }: ChartSearch, signal) => ({
      repository,
      ...(await this.api.get(
        '/api/v1/clusters/{name}/addons/repositories/{repository}',
        { ...key, repository, search: text.trim() || undefined },
        signal,
      )),
    }),
    () => {
      const key = this.addons.key();
      return key && { key, repository: this.chosen(), text: this.text() };
    },
    { delayMs: TYPING_PAUSE_MS },
  );
  protected readonly offered = computed(() => {
    if (this.search.problem()) return { charts: [], total: 0 };
    const offered = this.search.value();
    return offered?.repository === this.chosen() ? offered : undefined;
  });
  private readonly failure = signal<string | null>(null);
  protected readonly problem = computed(
    () => this.failure() ?? (this.search.problem() ?? this.repositoryList.problem())?.message ?? null,
  );
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
      this.failure.set($localize`${file.name}:file: is larger than 20 MB, the maximum for a chart.`);
      return;
    }
    await this.change(async () => {
      const { chart, version } = await this.api.send(
        'POST /api/v1/clusters/{name}/addons/charts',
        key,
        file.slice(0, file.size, 'application/gzip'),
      );
      this.chosen.set(UPLOADED);
      this.search.reload();
      if (!this.addons.blocked()) this.install(UPLOADED, chart, version);
    });
  }

  private async add({ name, url, username, password }: RepositoryInput): Promise<void> {
    const key = this.addons.key();
    if (!key) return;
    await this.api.send('POST /api/v1/clusters/{name}/addons/repositories', key, {
      name: name.trim(),
      url: url.trim(),
      ...(username.trim() === '' ? {} : { username: username.trim() }),
      ...(password === '' ? {} : { password }),
    });
    this.adding.set(false);
    this.form().reset({ name: '', url: '', username: '', password: '' });
    this.repositoryList.reload();
    this.chosen.set(name.trim());
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
      this.repositoryList.set(
        await this.api.send('DELETE /api/v1/clusters/{name}/addons/repositories/{repository}', {
          ...key,
          repository: name,
        }),
      );
      this.chosen.set(UPLOADED);
    });
  }

  private async change(work: () => Promise<void>): Promise<void> {
    this.busy.set(true);
    this.failure.set(null);
    try {
      await work();
    } catch (thrown) {
      this.failure.set(ApiProblem.of(thrown).message);
    } finally {
      this.busy.set(false);
    }
  }
}
