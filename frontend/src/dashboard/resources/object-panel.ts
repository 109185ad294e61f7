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
  type Type,
  untracked,
  viewChild,
} from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  ResourceAction,
  ResourceObjectDto,
  ResourceTypeDto,
  TableRowDto,
} from '../../shared/api/api-types';
import { loadPart } from '../../shared/loading/load-part';
import { Confirm } from '../../shared/ui/confirm';
import { Icon, type IconName } from '../../shared/ui/icon';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { State } from '../../shared/ui/state';
import { Toaster } from '../../shared/ui/toaster';
import { logsOfObject } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { HEALTH_STATES } from './kind-labels';
import { ObjectDetails } from './object-details';
import { ObjectDraft } from './object-draft';
import { ObjectEvents } from './object-events';
import { type ObjectName, type PanelPart, writeObject } from './resource-address';
import { ResourceActions } from './resource-actions';
import { ResourcesApi } from './resources-api';
import type { TableColumn } from './table-columns';

/** The row may change several times at once, as a rollout has it. */
const FOLLOW_AFTER_MS = 400;

const PARTS: readonly { part: PanelPart; text: string }[] = [
  { part: 'details', text: 'Details' },
  { part: 'yaml', text: 'YAML' },
  { part: 'events', text: 'Events' },
];
const LOGS: { part: PanelPart; text: string } = { part: 'logs', text: 'Logs' };

const ACTIONS: Readonly<Record<ResourceAction, { text: string; icon: IconName }>> = {
  scale: { text: 'Scale…', icon: 'layers' },
  restart: { text: 'Restart…', icon: 'refresh' },
  'restart-pod': { text: 'Restart…', icon: 'refresh' },
  cordon: { text: 'Cordon', icon: 'pause' },
  uncordon: { text: 'Uncordon', icon: 'play' },
  drain: { text: 'Drain…', icon: 'arrow-down' },
};

/** One object beside the table of its kind: what it is, its YAML, its events, and what can be done with it. */
@Component({
  selector: 'sw-object-panel',
  imports: [Icon, LogLink, NgComponentOutlet, ObjectDetails, ObjectEvents, Placeholder, SkeletonRows, State],
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
  private readonly api = inject(ResourcesApi);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly title = viewChild.required<ElementRef<HTMLElement>>('title');

  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ObjectName>();
  readonly part = input.required<PanelPart>();
  /** Its row in the table: when it changes, the object has. Null while the table does not hold it. */
  readonly row = input.required<TableRowDto | null>();
  readonly columns = input.required<readonly TableColumn[]>();
  readonly types = input.required<readonly ResourceTypeDto[]>();
  readonly partChosen = output<PanelPart>();
  readonly closed = output();
  readonly deleted = output();

  protected readonly found = signal<ResourceObjectDto | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly draft = signal<ObjectDraft | undefined>(undefined);
  /** The editor comes when it is first asked for, and then stays, with what was typed. */
  protected readonly editor = signal<Type<unknown> | undefined>(undefined);
  protected readonly editorProblem = signal(false);
  protected readonly editorInputs = computed(() => ({ draft: this.draft() }));
  protected readonly podLogs = signal<Type<unknown> | undefined>(undefined);
  protected readonly podLogsProblem = signal(false);
  protected readonly podLogsInputs = computed(() => {
    const { namespace, name: pod } = this.object();
    return { key: this.key(), namespace, pod };
  });
  /** Pods write. */
  protected readonly parts = computed(() => {
    const { group, plural } = this.object();
    return group === 'core' && plural === 'pods' ? [...PARTS, LOGS] : PARTS;
  });
  /** What is shown: the address may ask for what this kind has not. */
  protected readonly shown = computed<PanelPart>(
    () => this.parts().find(({ part }) => part === this.part())?.part ?? 'details',
  );
  protected readonly busy = signal<ResourceAction | 'delete' | null>(null);
  protected readonly words = ACTIONS;
  protected readonly states = HEALTH_STATES;
  protected readonly name = computed(() => this.object().name);
  protected readonly logs = computed(() => {
    const found = this.found();
    return found ? logsOfObject(this.key(), found) : null;
  });
  protected readonly deletable = computed(() => this.found()?.type.verbs.includes('delete') ?? false);

  constructor() {
    effect(() => {
      const key = this.key();
      this.object();
      untracked(() => {
        this.found.set(undefined);
        this.problem.set(null);
        this.draft.set(new ObjectDraft(this.api, key, (outcome) => this.saved(outcome.warnings)));
        void this.read();
      });
    });
    effect((onCleanup) => {
      const row = this.row();
      if (!row || !untracked(this.found)) return;
      const timer = setTimeout(() => void this.read(), FOLLOW_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
    effect(() => {
      const part = this.shown();
      if (part === 'yaml') untracked(() => void this.loadEditor());
      if (part === 'logs') untracked(() => void this.loadLogs());
    });
  }

  focus(): void {
    this.title().nativeElement.focus();
  }

  /** Whether it may go: what was typed is asked about first. */
  mayClose(): Promise<boolean> | boolean {
    if (!this.draft()?.dirty()) return true;
    return this.confirm.ask({
      title: 'Leave without saving?',
      text: [`Your changes of ${writeObject(this.object())} are not saved.`],
      action: 'Leave without saving',
      keep: 'Stay here',
      danger: true,
    });
  }

  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (this.draft()?.dirty()) event.preventDefault();
  }

  /** In the editor it closes what floats there, or leads out. */
  protected escape(event: Event): void {
    // By the way that it took: what floated there may be gone by now.
    const editor = (place: EventTarget): boolean =>
      place instanceof Element && place.classList.contains('cm-editor');
    if (event.composedPath().some(editor)) return;
    event.stopPropagation();
    this.closed.emit();
  }

  protected pressTab(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const parts = this.parts();
    const at = parts.findIndex(({ part }) => part === this.shown());
    const next = parts[(at + by + parts.length) % parts.length];
    if (!next) return;
    this.partChosen.emit(next.part);
    document.getElementById(`part-${next.part}`)?.focus();
  }

  protected async run(action: ResourceAction, object: ResourceObjectDto): Promise<void> {
    this.busy.set(action);
    const outcome = await this.actions.run(action, this.key(), object);
    this.busy.set(null);
    if (outcome === 'gone') this.deleted.emit();
    else if (outcome === 'changed') await this.read();
  }

  protected async delete(object: ResourceObjectDto): Promise<void> {
    this.busy.set('delete');
    const done = await this.actions.delete(this.key(), object);
    this.busy.set(null);
    if (done) this.deleted.emit();
  }

  protected async read(): Promise<void> {
    const object = this.object();
    const draft = this.draft();
    try {
      const found = await this.api.object(this.key(), object);
      if (object !== this.object()) return;
      this.problem.set(null);
      // Only what is new: details that follow an object ask for what it owns.
      if (this.found()?.resource_version !== found.resource_version) this.found.set(found);
      draft?.follow(found);
    } catch (error) {
      if (object === this.object()) this.problem.set(ApiProblem.of(error));
    }
  }

  protected async loadEditor(): Promise<void> {
    this.editorProblem.set(false);
    try {
      const { ObjectYaml } = await loadPart(() => import('./object-yaml'));
      this.editor.set(ObjectYaml);
    } catch {
      this.editorProblem.set(true);
    }
  }

  protected async loadLogs(): Promise<void> {
    this.podLogsProblem.set(false);
    try {
      const { PodLogs } = await loadPart(() => import('../logs/pod-logs'));
      this.podLogs.set(PodLogs);
    } catch {
      this.podLogsProblem.set(true);
    }
  }

  private saved(warnings: readonly string[]): void {
    this.toaster.done(`${this.name()} was saved.`, warnings.join(' '));
    void this.read();
  }
}
