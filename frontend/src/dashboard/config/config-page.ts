import {
  Component,
  computed,
  effect,
  inject,
  input,
  resource,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Api, clusterPage, type ClusterKey, type Tagged } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ConfigCheckDto, ConfigDto, ConfigProblemDto, HostAccessDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { State } from '../../shared/ui/state';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { REBUILT_LIMITS } from '../cluster-actions/questions';
import { chosenCluster } from '../cluster/chosen-cluster';
import { EngineChoice } from '../cluster/engine-choice';
import { ListPlace } from '../clusters/list-place';
import { JobScreen } from '../job-screen/job-screen';
import { Breadcrumbs } from '../shell/breadcrumbs';
import type { ConfigSchema } from './config-completion';
import { ConfigDifference } from './config-difference';
import { ConfigEditor } from './config-editor';
import {
  questionAfterSaving,
  questionBeforeLeaving,
  questionOfConflict,
  questionOfHostAccess,
  renewalOf,
} from './config-questions';

/** A pause in typing after which the server looks at the text. */
const CHECK_AFTER_MS = 500;

type Shown = 'edit' | 'running' | 'saved';

/** The config of a cluster: to edit, to compare with what runs, and to save for its next start. */
@Component({
  selector: 'sw-config-page',
  imports: [
    RouterLink,
    Breadcrumbs,
    ConfigDifference,
    ConfigEditor,
    EngineChoice,
    Icon,
    Notice,
    Placeholder,
    SkeletonRows,
    State,
  ],
  templateUrl: './config-page.html',
  styleUrl: './config-page.scss',
  host: { '(window:beforeunload)': 'beforeUnload($event)' },
})
export class ConfigPage {
  private readonly actions = inject(ClusterActions);
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly router = inject(Router);
  private readonly place = inject(ListPlace);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);
  private readonly editor = viewChild(ConfigEditor);

  /** From the address. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();

  private readonly chosen = chosenCluster(this.name, this.runtime);
  protected readonly choice = this.chosen.choice;
  protected readonly cluster = this.chosen.cluster;
  private readonly key = this.chosen.key;
  protected readonly live = this.clusters.live;
  protected readonly pageOf = clusterPage;
  protected readonly crumbs = computed(() => {
    const key = this.key();
    const { path, query } = key ? clusterPage(key) : { path: ['/cluster', this.name()], query: undefined };
    return [
      { text: 'Clusters', link: '/clusters', query: this.place.params },
      { text: this.name(), link: path, ...(query ? { query } : {}) },
      { text: 'Config' },
    ];
  });

  private readonly schema = resource({
    params: () => this.key(),
    loader: ({ params: key }) => this.api.configSchema<ConfigSchema>(key),
  });
  protected readonly schemaValue = computed(() => (this.schema.hasValue() ? this.schema.value() : undefined));
  /** The text that a save replaces. */
  protected readonly saved = signal<Tagged<ConfigDto> | undefined>(undefined);
  protected readonly applied = signal<string | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | undefined>(undefined);
  protected readonly text = signal('');
  protected readonly shown = signal<Shown>('edit');
  protected readonly saving = signal(false);
  /** The text that the server gave no answer about. */
  private readonly unheard = signal<string | undefined>(undefined);
  private readonly checked = signal<(ConfigCheckDto & { text: string }) | undefined>(undefined);

  protected readonly dirty = computed(() => {
    const saved = this.saved();
    return saved !== undefined && saved.config !== this.text();
  });
  /** What kind made elsewhere has no saved config until somebody saves the rebuilt one, changed or not. */
  protected readonly rebuilt = computed(() => this.saved()?.source === 'rebuilt');
  protected readonly savable = computed(() => this.dirty() || this.rebuilt());
  protected readonly notInContainers = REBUILT_LIMITS;
  /** Whether a job is at work, which reads the config: it must not change under it. */
  protected readonly busy = computed(() => this.cluster()?.active_job_id ?? null);
  protected readonly problems = computed<ConfigProblemDto[]>(() => this.checked()?.problems ?? []);
  protected readonly access = computed<HostAccessDto[]>(() => this.checked()?.host_access ?? []);
  protected readonly differs = computed(() => {
    const applied = this.applied();
    return applied !== undefined && applied !== this.text();
  });
  protected readonly verdict = computed<{ state: 'failed' | 'running' | 'unknown' | 'ok'; text: string }>(
    () => {
      const count = this.problems().length;
      if (this.checked()?.text !== this.text()) {
        return this.unheard() === this.text()
          ? { state: 'unknown', text: 'It cannot be checked now' }
          : { state: 'running', text: 'Checking' };
      }
      if (count === 0) return { state: 'ok', text: 'Valid kind config' };
      return { state: 'failed', text: `The config has ${plural(count, 'problem', 'problems')}` };
    },
  );

  constructor() {
    this.live.watch();
    effect(() => {
      const key = this.key();
      if (key) untracked(() => void this.load(key));
    });
    effect((onCleanup) => {
      const text = this.text();
      const key = this.key();
      if (!key || this.saved() === undefined) return;
      const timer = setTimeout(() => void this.check(key, text), CHECK_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
    // A new creation from the config makes it what runs.
    effect(() => {
      const key = this.key();
      if (key && this.busy() === null) untracked(() => void this.readApplied(key));
    });
  }

  /** Asked by the router before it shows another page. */
  async mayLeave(): Promise<boolean> {
    return !this.dirty() || (await this.confirm.ask(questionBeforeLeaving(this.name())));
  }

  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (this.dirty()) event.preventDefault();
  }

  protected tryAgain(): void {
    const key = this.key();
    if (key) void this.load(key);
    else void this.live.refresh();
  }

  protected show(what: Shown): void {
    this.shown.set(what);
  }

  protected discard(): void {
    const saved = this.saved();
    if (saved) this.text.set(saved.config);
    this.shown.set('edit');
  }

  protected goTo(problem: ConfigProblemDto): void {
    this.shown.set('edit');
    // The editor has no size while it is hidden.
    setTimeout(() => this.editor()?.goTo(problem));
  }

  protected watchJob(id: number): void {
    void this.screen.open(id);
  }

  protected async save(acceptHostAccess = false): Promise<void> {
    const [key, saved] = [this.key(), this.saved()];
    if (!key || !saved || !this.savable() || this.saving() || this.busy() !== null) return;
    this.saving.set(true);
    const text = this.text();
    try {
      const change = { config: text, ...(acceptHostAccess ? { accept_host_access: true } : {}) };
      const answer = await this.api.saveConfig(key, change, saved.etag);
      this.saved.set(answer);
      // What was typed meanwhile stays; what the server completed is shown.
      if (this.text() === text) this.text.set(answer.config);
      this.saving.set(false);
      void this.live.refresh();
      await this.tell(answer.config_changed, saved.source === 'rebuilt');
    } catch (thrown) {
      this.saving.set(false);
      await this.explain(key, ApiProblem.of(thrown));
    }
  }

  private async tell(changed: boolean, wasRebuilt: boolean): Promise<void> {
    const cluster = this.cluster();
    if (!changed || !cluster) {
      const name = this.name();
      this.toaster.done(
        'The config is saved.',
        wasRebuilt
          ? `Nothing changes in what runs. ${name} can be recreated from it now.`
          : 'It is the one that the cluster was made from.',
      );
      return;
    }
    if (!(await this.confirm.ask(questionAfterSaving(cluster)))) return;
    const renewal = renewalOf(cluster);
    if (renewal) await this.actions.runConfirmed(renewal, cluster);
    else void this.router.navigate(clusterPage(cluster).path, { queryParams: clusterPage(cluster).query });
  }

  private async explain(key: ClusterKey, problem: ApiProblem): Promise<void> {
    switch (problem.code) {
      case 'precondition_failed':
        await this.reconcile(key);
        return;
      case 'confirmation_required':
        if (await this.confirm.ask(questionOfHostAccess(problem.details as HostAccessDto[]))) {
          await this.save(true);
        }
        return;
      case 'config_refused': {
        const problems = problem.details as ConfigProblemDto[];
        this.checked.set({ text: this.text(), acceptable: false, problems, host_access: [] });
        const [first] = problems;
        if (first) this.goTo(first);
        return;
      }
      default:
        this.toaster.problem(problem, 'The config is not saved.', this.actions.remedyOf(problem));
    }
  }

  /** Somebody else was faster. Neither text is lost. */
  private async reconcile(key: ClusterKey): Promise<void> {
    try {
      const theirs = await this.api.config(key);
      const showTheirs = await this.confirm.ask(questionOfConflict(this.name()));
      this.saved.set(theirs);
      if (showTheirs) this.text.set(theirs.config);
      this.shown.set(showTheirs ? 'edit' : 'saved');
    } catch (thrown) {
      this.toaster.problem(thrown, 'The config is not saved, and the newer one cannot be read.');
    }
  }

  private async load(key: ClusterKey): Promise<void> {
    this.problem.set(undefined);
    try {
      const saved = await this.api.config(key);
      this.saved.set(saved);
      this.text.set(saved.config);
    } catch (thrown) {
      this.problem.set(ApiProblem.of(thrown));
    }
  }

  /** Where it is not known there is nothing to compare with. */
  private async readApplied(key: ClusterKey): Promise<void> {
    const applied = await this.api.appliedConfig(key).catch(() => undefined);
    this.applied.set(applied?.config);
  }

  /** A check that fails says nothing about the text: the next one, or the saving itself, will tell. */
  private async check(key: ClusterKey, text: string): Promise<void> {
    const answer = await this.api.checkConfig(key, text).catch(() => undefined);
    if (answer === undefined) this.unheard.set(text);
    else if (this.text() === text) this.checked.set({ ...answer, text });
  }
}
