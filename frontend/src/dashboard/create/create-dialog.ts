import { Dialog, DialogRef } from '@angular/cdk/dialog';
import {
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  resource,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterCheckDto, CreateClusterDto, HostAccessDto } from '../../shared/api/api-types';
import { StatsStore } from '../../shared/live/stats-store';
import { plural } from '../../shared/format/format';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { State } from '../../shared/ui/state';
import { AdvancedFields } from './advanced-fields';
import { CreateAddons } from './create-addons';
import type { CreateDraft } from './create-draft';
import { CreateDraftKeeper } from './create-draft-keeper';
import {
  CLUSTER_NAME,
  type EntryProblem,
  MAX_WORKERS,
  placed,
  problemsOf,
  problemsOfServer,
  requestOf,
} from './create-rules';
import { FieldProblem } from './field-problem';
import { ProblemsDialog, type ProblemsData } from './problems-dialog';
import { Stepper } from './stepper';
import { TagField } from './tag-field';
import { YamlText } from './yaml-text';

const PREVIEW_AFTER_MS = 250;
/** Between two looks for the registry's tags while it is being asked. */
const LOOK_AGAIN_MS = 1000;

/** The form for a new cluster. Its answer is the job that creates it. */
@Component({
  selector: 'sw-create-dialog',
  imports: [AdvancedFields, CreateAddons, FieldProblem, Icon, State, Stepper, TagField, YamlText],
  templateUrl: './create-dialog.html',
  styleUrl: './create-dialog.scss',
})
export class CreateDialog {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialog);
  private readonly dialog = inject<DialogRef<number>>(DialogRef);
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly keeper = inject(CreateDraftKeeper);
  private readonly stats = inject(StatsStore);

  private readonly addons = viewChild(CreateAddons);
  protected readonly draft = this.keeper.draft;
  protected readonly maxWorkers = MAX_WORKERS;
  protected readonly versions = resource({ loader: () => this.api.versions() });
  protected readonly sending = signal(false);
  /** Whether the form was sent once: complaints before that would be rude. */
  private readonly tried = signal(false);
  private readonly refused = signal<readonly EntryProblem[]>([]);
  private readonly checked = signal<{ body: string; answer: ClusterCheckDto } | null>(null);
  protected readonly checkProblem = signal<ApiProblem | null>(null);

  protected readonly engines = computed(() =>
    (this.stats.stats()?.runtimes ?? []).filter(({ available }) => available),
  );
  protected readonly engine = computed(
    () => this.draft().runtime || (this.stats.stats()?.container_cli ?? ''),
  );
  protected readonly answer = computed(() => this.checked()?.answer);
  protected readonly access = computed(() => this.answer()?.host_access ?? []);
  protected readonly warnings = computed(() => this.answer()?.warnings ?? []);

  /** What each field says below itself. */
  protected readonly complaints = computed<readonly EntryProblem[]>(() => {
    const own = this.tried() ? problemsOf(this.draft()) : [];
    const said = [...own, ...this.refused(), ...this.answerProblems()];
    return said.filter(
      (entry, index) =>
        said.findIndex(({ field, line }) => field === entry.field && line === entry.line) === index,
    );
  });
  private readonly answerProblems = computed(() => {
    const draft = this.draft();
    const named = CLUSTER_NAME.test(draft.name.trim());
    return (this.answer()?.problems ?? [])
      .map((problem) => placed(problem, draft))
      .filter(({ field }) => named || field !== 'name');
  });
  protected readonly addonNames = computed(() =>
    this.draft()
      .addons.map(({ name }) => name)
      .join(', '),
  );
  protected readonly tagHint = computed(() => {
    const tag = this.draft().tag.trim();
    const known = this.versions.hasValue()
      ? this.versions.value().tags.find((entry) => entry.tag === tag)
      : undefined;
    if (!known) return 'Is pulled once if it is not on this machine.';
    if (known.fits === 'unlikely') return `It ${known.fits_reason ?? 'may not start'}.`;
    return known.present_in.includes(this.engine())
      ? 'On this machine: nothing to pull.'
      : 'Is pulled once, about 1 GB.';
  });

  constructor() {
    this.stats.live.watch();
    const firstTag = effect(() => {
      if (!this.versions.hasValue()) return;
      const { default_tag: tag } = this.versions.value();
      untracked(() => {
        if (tag !== null && this.draft().tag === '' && this.draft().mode === 'form') this.change({ tag });
        firstTag.destroy();
      });
    });
    effect((onCleanup) => {
      // The registry's tags come later than the others: what was typed meanwhile stays.
      if (!this.versions.hasValue() || this.versions.value().registry.state !== 'reading') return;
      const timer = setTimeout(() => this.versions.reload(), LOOK_AGAIN_MS);
      onCleanup(() => clearTimeout(timer));
    });
    effect((onCleanup) => {
      const body = this.previewBody();
      if (body === null) {
        untracked(() => this.checked.set(null));
        return;
      }
      const timer = setTimeout(() => void this.check(body), PREVIEW_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected complaint(field: string): EntryProblem | undefined {
    return this.complaints().find((entry) => entry.field === field);
  }

  protected change(part: Partial<CreateDraft>): void {
    this.keeper.change(part);
    this.refused.set([]);
  }

  /** Both sides keep what was typed; a config that is still empty begins with what the form would give. */
  protected switchMode(): void {
    // What is wrong on one side is not on the other, and nothing was sent from there yet.
    this.tried.set(false);
    if (this.draft().mode === 'config') {
      this.change({ mode: 'form' });
      return;
    }
    const config = this.draft().config.trim() === '' ? (this.answer()?.config ?? '') : this.draft().config;
    this.change({ mode: 'config', config });
  }

  protected close(): void {
    this.dialog.close();
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending()) return;
    this.tried.set(true);
    const own = problemsOf(this.draft());
    const known = own.length > 0 ? own : this.knownProblems();
    if (known.length > 0) {
      await this.tell({ problems: known, sent: false });
      return;
    }
    const request = requestOf(this.draft());
    this.sending.set(true);
    try {
      const access = this.current()?.host_access ?? [];
      if (access.length > 0 && !(await this.acceptAccess(access))) return;
      await this.send(access.length > 0 ? { ...request, accept_host_access: true } : request);
    } finally {
      this.sending.set(false);
    }
  }

  private async send(request: Partial<CreateClusterDto>): Promise<void> {
    try {
      const { job_id: jobId } = await this.api.createCluster(request);
      this.keeper.clear();
      this.dialog.close(jobId);
    } catch (error) {
      const problem = ApiProblem.of(error);
      if (problem.code === 'confirmation_required' && Array.isArray(problem.details)) {
        if (await this.acceptAccess(problem.details as HostAccessDto[])) {
          await this.send({ ...request, accept_host_access: true });
        }
        return;
      }
      const problems = problemsOfServer(problem, this.draft());
      this.refused.set(problems);
      await this.tell({ problems, sent: true });
    }
  }

  private acceptAccess(access: readonly HostAccessDto[]): Promise<boolean> {
    return this.confirm.ask({
      title: 'This config reaches beyond its containers',
      text: [
        'What runs in the cluster can use all of it. Go on only if you know where the config comes from.',
      ],
      losses: access.map(({ path, what }) => `${path} ${what}`),
      action: 'Create it with this access',
      keep: 'Back to the config',
    });
  }

  /** Problems that the last check found, if it was of what stands in the form now. */
  private knownProblems(): EntryProblem[] {
    const draft = this.draft();
    return (this.current()?.problems ?? []).map((problem) => placed(problem, draft));
  }

  private current(): ClusterCheckDto | undefined {
    const checked = this.checked();
    return checked?.body === JSON.stringify(requestOf(this.draft())) ? checked.answer : undefined;
  }

  private async tell(data: ProblemsData): Promise<void> {
    const open = this.dialogs.open<EntryProblem, ProblemsData>(ProblemsDialog, {
      data,
      role: 'alertdialog',
      ariaLabelledBy: 'problems-title',
      ariaDescribedBy: 'problems-text',
      autoFocus: '[data-first]',
      restoreFocus: false,
      width: '560px',
      panelClass: 'dialog-pane',
      backdropClass: 'veil',
    });
    const target = (await firstValueFrom(open.closed)) ?? data.problems[0];
    this.goTo(target);
  }

  /** Puts the focus in the field, and in a config on the line. */
  private goTo(entry: EntryProblem | undefined): void {
    if (entry && this.addons()?.goTo(entry)) return;
    const field =
      (entry && this.host.querySelector<HTMLElement>(`[id="create-${entry.field}"]`)) ??
      this.host.querySelector<HTMLElement>('#create-submit');
    field?.focus();
    if (!(field instanceof HTMLTextAreaElement) || !entry?.line) return;
    const lines = field.value.split('\n');
    const start = lines.slice(0, entry.line - 1).join('\n').length + (entry.line > 1 ? 1 : 0);
    field.setSelectionRange(start, start + (lines[entry.line - 1]?.length ?? 0));
  }

  /** The request that the preview shows; null while the form cannot make one. A missing name does not hide it. */
  private readonly previewBody = computed(() => {
    const draft = this.draft();
    const named = CLUSTER_NAME.test(draft.name.trim()) ? draft : { ...draft, name: 'unnamed' };
    return problemsOf(named).length > 0 ? null : JSON.stringify(requestOf(named));
  });

  private async check(body: string): Promise<void> {
    try {
      const answer = await this.api.checkCluster(JSON.parse(body) as Partial<CreateClusterDto>);
      if (body !== this.previewBody()) return;
      this.checked.set({ body, answer });
      this.checkProblem.set(null);
    } catch (error) {
      if (body !== this.previewBody()) return;
      this.checked.set(null);
      this.checkProblem.set(ApiProblem.of(error));
    }
  }

  protected needs(count: number): string {
    return `${plural(count, 'entry needs', 'entries need')} a change`;
  }
}
