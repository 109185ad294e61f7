import { Component, computed, effect, inject, signal, untracked, viewChild } from '@angular/core';
import { Router } from '@angular/router';
import { Api, clusterKey, type ClusterKey, clusterPage, isUp } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { CheckProblemDto, ConfigDto, ConfigProblemDto, HostAccessDto } from '../../shared/api/api-types';
import { apiResource, ApiResource } from '../../shared/loading/api-resource';
import { Confirm } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { actionsOf } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { listedChanges, REBUILT_LIMITS } from '../cluster-actions/questions';
import { keyOfCluster, OfCluster } from '../cluster-context/of-cluster';
import { NOT_MANAGED } from '../external/external-labels';
import { JobScreen } from '../job-handle/job-screen';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { NoCluster } from '../cluster-context/no-cluster';
import type { DocumentSchemas } from '../yaml/yaml-documents';
import { ConfigDiff } from '../editor/config-diff';
import { ConfigEditor } from '../editor/config-editor';
import { ProblemList } from '../editor/problem-list';
import {
  applyActionOf,
  conflictQuestion,
  hostAccessQuestion,
  labelsQuestion,
  savedQuestion,
  unsavedQuestion,
} from './config-questions';
import { problemCount } from '../../shared/format/format';

const CHECK_DELAY_MS = 500;

@Component({
  selector: 'sw-config-page',
  imports: [Breadcrumbs, ConfigDiff, ConfigEditor, NoCluster, ProblemList, UI],
  templateUrl: './config-page.html',
  styleUrl: './config-page.scss',
  host: { '(window:beforeunload)': 'beforeUnload($event)' },
})
export class ConfigPage extends OfCluster {
  protected readonly actions = inject(ClusterActions);
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly router = inject(Router);
  protected readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);
  private readonly editor = viewChild(ConfigEditor);

  /** Undefined for an external cluster, which has no config. */
  protected override readonly key = keyOfCluster(
    computed(() => (this.cluster()?.external ? undefined : this.cluster())),
  );
  protected readonly notManaged = NOT_MANAGED;
  protected readonly crumbs = clusterCrumbs(this.name, this.key, () => $localize`Config`);

  private readonly schema = apiResource('/api/v1/clusters/{name}/config/schema', this.key).value;
  protected readonly schemas: DocumentSchemas = {
    of: () => {
      const schema = this.schema();
      return Promise.resolve(schema ? { schema } : undefined);
    },
  };
  /** The config that a save replaces. */
  protected readonly saved = signal<(ConfigDto & { etag: string }) | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | undefined>(undefined);
  protected readonly text = signal('');
  protected readonly shown = signal<'edit' | 'running' | 'saved'>('edit');
  protected readonly saving = signal(false);
  private readonly check = new ApiResource(
    async ({ key, text }: { key: ClusterKey; text: string }, signal) => ({
      text,
      ...(await this.api.send('POST /api/v1/clusters/{name}/config/check', key, { config: text }, signal)),
    }),
    () => {
      const [key, text] = [this.key(), this.text()];
      return key && this.saved() ? { key, text } : undefined;
    },
    { delayMs: CHECK_DELAY_MS },
  );
  private readonly checked = this.check.value;

  protected readonly dirty = computed(() => {
    const saved = this.saved();
    return saved !== undefined && saved.config !== this.text();
  });
  /** An adopted cluster has no saved config until the rebuilt one is saved. */
  protected readonly rebuilt = computed(() => this.saved()?.source === 'rebuilt');
  protected readonly savable = computed(() => this.dirty() || this.rebuilt());
  protected readonly rebuiltLimits = REBUILT_LIMITS;
  /** The active job, which reads the config. */
  protected readonly busy = computed(() => this.cluster()?.active_job_id ?? null);
  /** The action that applies the saved config; undefined while there are unsaved changes. */
  protected readonly apply = computed(() => {
    const cluster = this.cluster();
    if (!cluster?.config_changed || this.dirty()) return undefined;
    return actionsOf(cluster).find(({ action }) => action === applyActionOf(cluster));
  });
  /** Loaded again once the saved config may be applied. */
  protected readonly applied = apiResource(
    '/api/v1/clusters/{name}/config/applied',
    () => (this.busy() === null ? this.key() : undefined),
    { reloadOn: () => this.cluster()?.config_changed },
  ).value;
  /** The changes by the saved config. */
  private readonly recreation = apiResource(
    '/api/v1/clusters/{name}/recreate/check',
    () => (this.apply() ? this.key() : undefined),
    { reloadOn: this.saved },
  ).current;
  protected readonly changes = computed(() => listedChanges(this.recreation()?.changes ?? []));
  protected readonly labelsOnly = computed(
    () => this.recreation()?.labels_only === true && isUp(this.cluster()),
  );
  protected readonly problems = computed<ConfigProblemDto[]>(() => this.checked()?.problems ?? []);
  /** The last check, which is of the present text, found problems. */
  protected readonly invalid = computed(
    () => this.checked()?.text === this.text() && this.problems().length > 0,
  );
  protected readonly fixFirst = $localize`Fix the problems below before you save.`;
  protected readonly warnings = computed(() => this.checked()?.warnings ?? []);
  /** Reasons against a creation here, with the ports to take instead. */
  protected readonly hostProblems = computed(() => this.checked()?.host_problems ?? []);
  protected readonly access = computed<HostAccessDto[]>(() => this.checked()?.host_access ?? []);
  protected readonly label = computed(() => $localize`Config of ${this.name()}:cluster:`);
  protected readonly saveState = computed(() => {
    if (this.dirty()) return $localize`Not saved`;
    return this.rebuilt() ? $localize`Rebuilt, not saved` : $localize`Saved`;
  });
  protected readonly compared = computed(() => {
    if (this.shown() === 'edit') return undefined;
    return this.shown() === 'saved'
      ? { text: this.saved()?.config ?? '', label: $localize`Diff with the saved config` }
      : { text: this.applied()?.config ?? '', label: $localize`Diff with the running config` };
  });
  protected readonly verdict = computed<{
    state: 'failed' | 'warning' | 'running' | 'unknown' | 'ok';
    text: string;
  }>(() => {
    const count = this.problems().length;
    if (this.checked()?.text !== this.text()) {
      return this.check.problem()
        ? { state: 'unknown', text: $localize`Could not check the config` }
        : { state: 'running', text: $localize`Checking …` };
    }
    if (count === 0) {
      return this.hostProblems().length === 0
        ? { state: 'ok', text: $localize`Valid kind config` }
        : { state: 'warning', text: $localize`Valid kind config, which does not start on this host now` };
    }
    return { state: 'failed', text: problemCount(count) };
  });

  constructor() {
    super();
    effect(() => {
      this.key();
      untracked(() => void this.load());
    });
  }

  /** Route guard. */
  async mayLeave(): Promise<boolean> {
    return !this.dirty() || (await this.confirm.ask(unsavedQuestion(this.name())));
  }

  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (this.dirty()) event.preventDefault();
  }

  protected discard(): void {
    const saved = this.saved();
    if (saved) this.text.set(saved.config);
    this.shown.set('edit');
  }

  /** Replaces the host port at the place of a problem by the free one. */
  protected usePort({ line, column, next_port: port }: CheckProblemDto): void {
    if (line === null || column === null || port === null || port === undefined) return;
    const lines = this.text().split('\n');
    const at = lines[line - 1];
    if (at === undefined) return;
    lines[line - 1] = at.slice(0, column - 1) + at.slice(column - 1).replace(/\d+/, String(port));
    this.text.set(lines.join('\n'));
  }

  protected goTo(problem: Pick<ConfigProblemDto, 'line' | 'column'>): void {
    this.shown.set('edit');
    // A hidden editor has no size.
    setTimeout(() => this.editor()?.goTo(problem));
  }

  protected async save(acceptHostAccess = false): Promise<void> {
    const [key, saved] = [this.key(), this.saved()];
    if (!key || !saved || !this.savable() || this.saving() || this.busy() !== null) return;
    const [first] = this.problems();
    if (this.invalid() && first) {
      this.goTo(first);
      return;
    }
    this.saving.set(true);
    const text = this.text();
    try {
      const change = { config: text, ...(acceptHostAccess ? { accept_host_access: true } : {}) };
      const response = await this.api.tagged('PUT /api/v1/clusters/{name}/config', key, change, saved.etag);
      this.saved.set(response);
      // The server may complete the config. Keep what the user typed meanwhile.
      if (this.text() === text) this.text.set(response.config);
      this.saving.set(false);
      void this.live.reload();
      await this.confirmSaved(response.config_changed, saved.source === 'rebuilt');
    } catch (thrown) {
      this.saving.set(false);
      await this.handleError(key, ApiProblem.of(thrown));
    }
  }

  private async confirmSaved(changed: boolean, wasRebuilt: boolean): Promise<void> {
    const cluster = this.cluster();
    if (!changed || !cluster) {
      this.toaster.done(
        $localize`Config saved.`,
        wasRebuilt
          ? $localize`You can now recreate ${this.name()}:cluster: from it.`
          : $localize`It is identical to the running config.`,
      );
      return;
    }
    // Without the changes if the engine does not respond.
    const check = await this.api
      .get('/api/v1/clusters/{name}/recreate/check', clusterKey(cluster))
      .catch(() => undefined);
    const changes = listedChanges(check?.changes ?? []);
    if (check?.labels_only && isUp(cluster)) {
      if (await this.confirm.ask(labelsQuestion(changes))) await this.actions.applyLabels(cluster);
      return;
    }
    if (!(await this.confirm.ask(savedQuestion(cluster, changes)))) return;
    const action = applyActionOf(cluster);
    if (action) await this.actions.start(action, cluster);
    else void this.router.navigateByUrl(clusterPage(cluster));
  }

  private async handleError(key: ClusterKey, problem: ApiProblem): Promise<void> {
    switch (problem.code) {
      case 'precondition_failed':
        await this.reconcile(key);
        return;
      case 'confirmation_required':
        if (await this.confirm.ask(hostAccessQuestion(problem.details as HostAccessDto[]))) {
          await this.save(true);
        }
        return;
      case 'config_refused': {
        const problems = problem.details as ConfigProblemDto[];
        this.check.set({
          text: this.text(),
          acceptable: false,
          problems,
          warnings: [],
          host_problems: [],
          host_access: [],
        });
        const [first] = problems;
        if (first) this.goTo(first);
        return;
      }
      default:
        this.toaster.problem(problem, $localize`Could not save the config.`, this.actions.remedyOf(problem));
    }
  }

  /** Another client saved the config. Both texts are kept. */
  private async reconcile(key: ClusterKey): Promise<void> {
    try {
      const theirs = await this.api.tagged('GET /api/v1/clusters/{name}/config', key);
      const showTheirs = await this.confirm.ask(conflictQuestion(this.name()));
      this.saved.set(theirs);
      if (showTheirs) this.text.set(theirs.config);
      this.shown.set(showTheirs ? 'edit' : 'saved');
    } catch (thrown) {
      this.toaster.problem(thrown, $localize`Could not save the config or load the newer one.`);
    }
  }

  protected async load(): Promise<void> {
    const key = this.key();
    if (!key) return;
    this.problem.set(undefined);
    try {
      const saved = await this.api.tagged('GET /api/v1/clusters/{name}/config', key);
      this.saved.set(saved);
      this.text.set(saved.config);
    } catch (thrown) {
      this.problem.set(ApiProblem.of(thrown));
    }
  }
}
