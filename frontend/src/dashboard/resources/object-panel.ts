import { Tab, TabList, TabPanel, Tabs } from '@angular/aria/tabs';
import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { NgComponentOutlet } from '@angular/common';
import {
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { Api, type ClusterKey, clusterPage } from '../../shared/api/api';
import type { ApiProblem } from '../../shared/api/api-problem';
import type {
  PodUsageDto,
  ResourceAction,
  ResourceObjectDto,
  ResourceTypeDto,
  TableRowDto,
} from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { LazyComponent } from '../../shared/loading/lazy-component';
import { Confirm } from '../../shared/ui/confirm';
import type { IconName } from '../../shared/ui/icon';
import { ProblemsStore } from '../../shared/live/problems-store';
import { StatsStore } from '../../shared/live/stats-store';
import { MenuItem } from '../../shared/ui/menu-item';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { logsOfObject } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { type ObjectAction, rightsIn } from '../external/kind-rights';
import { DebugShell } from '../shells/debug-shell';
import { shellTarget } from '../shells/shell-target';
import { Shells } from '../shells/shells';
import { HEALTH_STATES } from '../resource-model/kind-labels';
import { isFavorite, keptObject, rememberOpened, toggleFavorite } from './kept-objects';
import { ObjectDetails } from './object-details';
import { ObjectDraft } from './object-draft';
import { ObjectEvents } from './object-events';
import {
  isPodType,
  nameOf,
  OBJECT,
  type ObjectName,
  objectParams,
  type PanelPart,
  writeObject,
} from '../resource-model/resource-address';
import { ResourceActions } from './resource-actions';
import type { TableColumn } from './table-columns';

/** A rollout changes the row several times in a row. */
const FOLLOW_AFTER_MS = 400;

const PARTS: readonly { part: PanelPart; text: string }[] = [
  { part: 'details', text: $localize`Details` },
  { part: 'yaml', text: 'YAML' },
  { part: 'events', text: $localize`Events` },
];
const ROLLOUT: { part: PanelPart; text: string } = { part: 'rollout', text: $localize`Rollout` };
const WITH_ROLLOUT = ['deployments', 'statefulsets', 'daemonsets'];
/** Kinds whose Pods have logs. */
const WITH_LOGS = [...WITH_ROLLOUT, 'replicasets', 'jobs', 'cronjobs'];
const LOGS: { part: PanelPart; text: string } = { part: 'logs', text: $localize`Logs` };

const ACTIONS: Readonly<Record<ResourceAction, { text: string; icon: IconName }>> = {
  expose: { text: $localize`Expose…`, icon: 'external' },
  scale: { text: $localize`Scale…`, icon: 'layers' },
  restart: { text: $localize`Restart…`, icon: 'refresh' },
  'change-image': { text: $localize`Change image…`, icon: 'box' },
  run: { text: $localize`Run now`, icon: 'play' },
  suspend: { text: $localize`Suspend`, icon: 'pause' },
  resume: { text: $localize`Resume`, icon: 'play' },
  'pause-rollout': { text: $localize`Pause rollout`, icon: 'pause' },
  'resume-rollout': { text: $localize`Resume rollout`, icon: 'play' },
  'restart-pod': { text: $localize`Restart…`, icon: 'refresh' },
  cordon: { text: $localize`Cordon`, icon: 'pause' },
  uncordon: { text: $localize`Uncordon`, icon: 'play' },
  drain: { text: $localize`Drain…`, icon: 'arrow-down' },
};
/** The most frequent actions. The rest is in the menu, unless it is the only one. */
const DIRECT: readonly ResourceAction[] = ['restart', 'restart-pod', 'run', 'uncordon'];

@Component({
  selector: 'sw-object-panel',
  imports: [
    CdkMenu,
    CdkMenuItem,
    CdkMenuTrigger,
    LogLink,
    MenuItem,
    NgComponentOutlet,
    ObjectDetails,
    ObjectEvents,
    Tab,
    TabList,
    TabPanel,
    UI,
  ],
  hostDirectives: [Tabs],
  templateUrl: './object-panel.html',
  styleUrl: './object-panel.scss',
  host: {
    role: 'region',
    'aria-labelledby': 'object-title',
    '(keydown.escape)': 'escape($event)',
    '(window:beforeunload)': 'beforeUnload($event)',
  },
})
export class ObjectPanel {
  private readonly actions = inject(ResourceActions);
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  protected readonly debugShell = inject(DebugShell);
  /** The details wait for it: a cause on top of them would move them. */
  protected readonly problems = inject(ProblemsStore);
  protected readonly isDemo = inject(StatsStore).isDemo;
  protected readonly shells = inject(Shells);
  private readonly title = viewChild.required<ElementRef<HTMLElement>>('title');
  private readonly content = viewChild.required<ElementRef<HTMLElement>>('content');

  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ObjectName>();
  readonly part = input.required<PanelPart>();
  /** Its row in the table, which changes with the object; null if the table has none. */
  readonly row = input.required<TableRowDto | null>();
  /** Usage of a Pod; null if unknown. */
  readonly usage = input<PodUsageDto | null>(null);
  readonly columns = input.required<readonly TableColumn[]>();
  readonly types = input.required<readonly ResourceTypeDto[]>();
  readonly partChosen = output<PanelPart>();
  readonly closed = output();
  readonly deleted = output();

  protected readonly reading = apiResource(OBJECT, () => objectParams(this.key(), this.object()));
  protected readonly found = computed(() => this.reading.current() ?? undefined, {
    // Only a new version: the details reload the dependents.
    equal: (before, found) => before?.resource_version === found?.resource_version,
  });
  /** As the browser remembers it, once it is known to exist. */
  protected readonly kept = computed(() => {
    const found = this.found();
    return found && keptObject(this.key(), nameOf(found), found.type.kind);
  });
  protected readonly favorite = signal(false);
  protected readonly toggleFavorite = toggleFavorite;
  protected readonly draft = computed(() => {
    this.object();
    return new ObjectDraft(this.api, this.key(), (outcome) => this.saved(outcome.warnings));
  });
  /** Loaded when first shown, then kept with what was typed. */
  protected readonly editor = new LazyComponent(() =>
    import('./object-yaml').then((file) => file.ObjectYaml),
  );
  protected readonly editorInputs = computed(() => ({ draft: this.draft() }));
  private readonly podLogs = new LazyComponent(() => import('../logs/pod-logs').then((file) => file.PodLogs));
  private readonly podLogsInputs = computed(() => {
    const { namespace, name: pod } = this.object();
    return { key: this.key(), namespace, pod };
  });
  private readonly workloadLogs = new LazyComponent(() =>
    import('./workload-logs').then((file) => file.WorkloadLogs),
  );
  protected readonly logTab = computed(() =>
    isPodType(this.object())
      ? { late: this.podLogs, inputs: this.podLogsInputs() }
      : { late: this.workloadLogs, inputs: { ...this.rolloutInputs(), types: this.types() } },
  );
  protected readonly rollout = new LazyComponent(() =>
    import('./object-rollout').then((file) => file.ObjectRollout),
  );
  protected readonly rolloutInputs = computed(() => ({ key: this.key(), object: this.found() }));
  protected readonly parts = computed(() => {
    const { group, plural } = this.object();
    if (isPodType(this.object())) return [...PARTS, LOGS];
    return [
      ...PARTS,
      ...(group === 'apps' && WITH_ROLLOUT.includes(plural) ? [ROLLOUT] : []),
      ...(['apps', 'batch'].includes(group) && WITH_LOGS.includes(plural) ? [LOGS] : []),
    ];
  });
  /** The part in the URL, or the details if this kind has no such part. */
  protected readonly shown = computed<PanelPart>(
    () => this.parts().find(({ part }) => part === this.part())?.part ?? 'details',
  );
  /** The part shown, if it has code of its own. */
  protected readonly late = computed(() => {
    const parts: Partial<Record<PanelPart, LazyComponent>> = {
      yaml: this.editor,
      rollout: this.rollout,
      logs: this.logTab().late,
    };
    return parts[this.shown()];
  });
  /** Its buttons are not disabled meanwhile: a disabled button would not get the focus back from its dialog. */
  protected readonly busy = signal<ResourceAction | 'delete' | null>(null);
  protected readonly labels = ACTIONS;
  protected readonly states = HEALTH_STATES;
  protected readonly name = computed(() => this.object().name);
  /** Of a Pod or a node. */
  protected readonly shellTarget = computed(() => shellTarget(this.key(), this.object()));
  protected readonly logs = computed(() => {
    const found = this.found();
    return found ? logsOfObject(this.key(), found) : null;
  });
  protected readonly offers = computed(() => {
    const { actions = [], type } = this.found() ?? {};
    const isDirect = (action: ResourceAction): boolean => DIRECT.includes(action) || actions.length === 1;
    const more = actions.filter((action) => !isDirect(action));
    return {
      direct: actions.filter(isDirect),
      more,
      canDelete: type?.verbs.includes('delete') ?? false,
      hasMenu:
        more.length > 0 || this.files() !== null || (type?.verbs.includes('delete') && actions.length > 0),
    };
  });
  private readonly rights = rightsIn(() => ({ key: this.key(), namespaces: [this.object().namespace] }));
  protected readonly denied = (action: ObjectAction): string | null =>
    this.rights.deniedAction(action, this.object());
  /** Of a Pod; null otherwise. */
  protected readonly files = computed(() => {
    const { namespace, name } = this.object();
    return isPodType(this.object()) ? clusterPage(this.key(), 'files', namespace ?? '', name) : null;
  });

  constructor() {
    this.problems.live.watch();
    effect(() => {
      const found = this.reading.current();
      const draft = this.draft();
      if (found) untracked(() => draft.follow(found));
    });
    effect(() => {
      const object = this.kept();
      if (!object) return;
      rememberOpened(object);
      untracked(() => this.favorite.set(isFavorite(object)));
    });
    effect((onCleanup) => {
      const row = this.row();
      if (!row || !untracked(this.found)) return;
      const timer = setTimeout(() => this.reading.reload(), FOLLOW_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
    effect(() => {
      const late = this.late();
      untracked(() => void late?.load());
    });
  }

  focus(): void {
    this.title().nativeElement.focus();
  }

  /** The cause of an unhealthy object is at the top of its details. */
  showCause(): void {
    this.content().nativeElement.scrollTop = 0;
  }

  mayClose(): Promise<boolean> | boolean {
    if (!this.draft().dirty()) return true;
    return this.confirm.ask({
      title: $localize`Discard unsaved changes?`,
      text: [$localize`Your changes to ${writeObject(this.object())}:object: are not saved.`],
      action: $localize`Discard`,
      danger: true,
    });
  }

  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (this.draft().dirty()) event.preventDefault();
  }

  /** The editor uses Esc itself. */
  protected escape(event: Event): void {
    // The event's path, because a closed popup of the editor is no longer in the document.
    const isEditor = (target: EventTarget): boolean =>
      target instanceof Element && target.classList.contains('cm-editor');
    if (event.composedPath().some(isEditor)) return;
    event.stopPropagation();
    this.closed.emit();
  }

  protected choosePart(part: string | undefined): void {
    const chosen = this.parts().find((each) => each.part === part)?.part;
    if (chosen && chosen !== this.shown()) this.partChosen.emit(chosen);
  }

  protected problemTitle({ code }: ApiProblem): string {
    return code === 'resource_not_found'
      ? $localize`${this.name()}:object: no longer exists`
      : $localize`Could not load ${this.name()}:object:`;
  }

  protected async run(action: ResourceAction, object: ResourceObjectDto): Promise<void> {
    if (this.busy() !== null) return;
    this.busy.set(action);
    const outcome = await this.actions.run(action, this.key(), object);
    this.busy.set(null);
    if (outcome === 'gone') this.deleted.emit();
    else if (outcome === 'changed') this.reading.reload();
  }

  protected async delete(object: ResourceObjectDto): Promise<void> {
    if (this.busy() !== null) return;
    this.busy.set('delete');
    const done = await this.actions.delete(this.key(), object);
    this.busy.set(null);
    if (done) this.deleted.emit();
  }

  private saved(warnings: readonly string[]): void {
    this.toaster.done($localize`Saved ${this.name()}:object:.`, warnings.join(' '));
    this.reading.reload();
  }
}
