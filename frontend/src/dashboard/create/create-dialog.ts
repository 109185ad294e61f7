import { DialogRef } from '@angular/cdk/dialog';
import {
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { apply, type FieldTree, form, FormField, submit, validateTree } from '@angular/forms/signals';
import { Api } from '../../shared/api/api';
import { ApiProblem, type PlacedProblem } from '../../shared/api/api-problem';
import type { CreateClusterDto, CreationCheckDto, HostAccessDto } from '../../shared/api/api-types';
import { StatsStore } from '../../shared/live/stats-store';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { apiResource } from '../../shared/loading/api-resource';
import { lastKnown } from '../../shared/loading/last-known';
import { ClusterDrawing } from '../../shared/ui/cluster-drawing';
import { UI } from '../../shared/ui/ui';
import { AdvancedFields } from './advanced-fields';
import { CreateAddons } from './create-addons';
import { type CreateError, errorOf, labelOf, problemsOf } from './create-errors';
import {
  CLUSTER_NAME,
  type CreateModel,
  createSchema,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  requestOf,
  suggestName,
} from './create-model';
import { CreateStore } from './create-store';
import { type ListedProblem, ProblemsDialog } from './problems-dialog';
import { Stepper } from './stepper';
import { TagField } from './tag-field';
import { YamlText } from './yaml-text';
import { formatBytes, formatElapsed, formatList, problemCount } from '../../shared/format/format';

const CHECK_DELAY_MS = 250;
/** Interval of requests while the server loads the tags of the registry. */
const TAGS_POLL_MS = 1000;

interface Check extends Partial<Omit<CreationCheckDto, 'problems'>> {
  /** The checked request. */
  body: string;
  problems: PlacedProblem[];
}

/** The form for a new cluster. Its result is the id of the job that creates it. */
@Component({
  selector: 'sw-create-dialog',
  imports: [AdvancedFields, ClusterDrawing, CreateAddons, FormField, Stepper, TagField, UI, YamlText],
  templateUrl: './create-dialog.html',
  styleUrl: './create-dialog.scss',
})
export class CreateDialog {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  protected readonly dialog = inject<DialogRef<number>>(DialogRef);
  private readonly stats = inject(StatsStore);
  private readonly addons = viewChild.required(CreateAddons);
  private readonly config = viewChild<ElementRef<HTMLTextAreaElement>>('config');

  private readonly store = inject(CreateStore);
  protected readonly model = this.store.model;
  protected readonly versions = apiResource('/api/v1/versions');
  protected readonly checked = signal<Check | null>(null);
  protected readonly checkProblem = signal('');

  protected readonly form: FieldTree<CreateModel> = form(
    this.model,
    (path) => {
      apply(path, createSchema);
      validateTree(path, ({ value }) => {
        const check = this.checked();
        if (check?.body !== bodyOf(value())) return [];
        return check.problems
          .map((problem) => errorOf(this.form, problem, value()))
          .filter((error) => error.fieldTree !== this.form.name || isNamed(value()));
      });
    },
    { name: 'create' },
  );

  protected readonly engines = computed(() =>
    (this.stats.stats()?.runtimes ?? []).filter(({ available }) => available),
  );
  protected readonly engine = computed(
    () => this.model().runtime || (this.stats.stats()?.container_cli ?? ''),
  );
  protected readonly access = computed(() => this.checked()?.host_access ?? []);
  /** Once accepted, the check no longer reports it. */
  protected readonly needsCgroupV2 = computed(
    () =>
      this.model().accept_cgroup_v1 ||
      this.checked()?.problems.some(({ code }) => code === 'needs_cgroup_v2') === true,
  );
  /** The last known ones, so that nothing moves while a field is invalid. */
  protected readonly preview = lastKnown(() => this.checked()?.config);
  private readonly plan = lastKnown(() => this.checked()?.plan);
  protected readonly suggestion = computed(() => {
    const model = this.model();
    return isNamed(model) ? '' : suggestName(model.name);
  });
  /** The fields at once; a config after its check. */
  protected readonly drawing = computed(() => {
    const { mode, control_planes, workers, port_mappings } = this.model();
    const plan = this.plan();
    if (mode === 'config') {
      return plan && { controlPlanes: plan.control_planes, workers: plan.workers, ports: plan.ports };
    }
    return {
      controlPlanes: wholeUpTo(MAX_CONTROL_PLANES, control_planes),
      workers: wholeUpTo(MAX_WORKERS, workers),
      ports: port_mappings.flatMap(({ host_port, container_port, ...port }) =>
        host_port === null || container_port === null ? [] : [{ ...port, host_port, container_port }],
      ),
    };
  });
  protected readonly cost = computed(() => {
    const plan = this.plan();
    if (!plan) return null;
    const { memory_bytes: needed, memory_free_bytes: free, seconds } = plan;
    const memory = formatBytes(needed);
    return {
      share: free === null ? null : (100 * needed) / free,
      memory:
        free === null
          ? $localize`About ${memory}:memory:`
          : $localize`About ${memory}:memory: of ${formatBytes(free)}:free: free`,
      time: seconds === null ? '' : $localize`about ${formatElapsed(Math.ceil(seconds) * 1000)}:duration:`,
    };
  });
  protected readonly warnings = computed(() => this.checked()?.warnings ?? []);
  protected readonly status = computed<{ state: 'failed' | 'warning' | 'ok'; text: string } | null>(() => {
    const problems = this.form()
      .errorSummary()
      .filter(({ fieldTree }) => fieldTree().touched()).length;
    const [warning] = this.warnings();
    if (problems > 0) return { state: 'failed', text: problemCount(problems) };
    if (warning !== undefined) return { state: 'warning', text: warning };
    return this.form().valid() && this.checked()?.acceptable === true
      ? { state: 'ok', text: $localize`Ready to create` }
      : null;
  });
  protected readonly addonNames = computed(() => formatList(this.model().addons.map(({ addon }) => addon)));
  protected readonly tagNote = computed(() =>
    this.model().mode === 'config' ? $localize`for nodes without an image` : '',
  );
  protected readonly tagHint = computed(() => {
    const tag = this.model().node_image_tag.trim();
    const known = this.versions.value()?.tags.find((entry) => entry.tag === tag);
    if (!known) return $localize`Downloaded once if not available locally.`;
    if (known.fits === 'unlikely' || known.fits === 'never') {
      return `${tag} ${known.fits_reason ?? $localize`may not start`}.`;
    }
    return known.present_in.includes(this.engine())
      ? $localize`Available locally.`
      : $localize`Downloaded once, about 1 GB.`;
  });
  /** The request for the preview, which does not need a name; null while other fields are invalid. */
  private readonly checkBody = computed(() => {
    const isInvalid = this.form()
      .errorSummary()
      .some(({ kind, fieldTree }) => kind !== 'api' && fieldTree !== this.form.name);
    return isInvalid ? null : bodyOf(this.model());
  });

  constructor() {
    this.stats.live.watch();
    const defaultTag = effect(() => {
      const versions = this.versions.value();
      if (!versions) return;
      const { default_tag: tag } = versions;
      untracked(() => {
        const { node_image_tag: current, mode } = this.model();
        if (tag !== null && current === '' && mode === 'form') this.form.node_image_tag().value.set(tag);
        defaultTag.destroy();
      });
    });
    effect((onCleanup) => {
      if (this.versions.value()?.registry.state !== 'reading') return;
      const timer = setTimeout(() => this.versions.reload(), TAGS_POLL_MS);
      onCleanup(() => clearTimeout(timer));
    });
    effect((onCleanup) => {
      const body = this.checkBody();
      if (body === null) {
        untracked(() => this.checked.set(null));
        return;
      }
      const timer = setTimeout(() => void this.check(body), CHECK_DELAY_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  /** An empty config starts with the one of the form. */
  protected switchMode(): void {
    this.form().reset();
    this.model.update((model) => ({
      ...model,
      mode: model.mode === 'form' ? 'config' : 'form',
      config: model.config.trim() === '' ? (this.checked()?.config ?? '') : model.config,
    }));
  }

  protected async create(event: Event): Promise<void> {
    event.preventDefault();
    const isCreated = await submit(this.form, () => this.send());
    if (!isCreated && this.form().invalid()) await this.showProblems();
  }

  /** @returns the errors of a rejected request */
  private async send(accepted = false): Promise<CreateError[] | undefined> {
    const access = this.access();
    if (!accepted && access.length > 0) {
      return (await this.acceptAccess(access)) ? this.send(true) : undefined;
    }
    const request = requestOf(this.model());
    try {
      const { job_id: jobId } = await this.api.send(
        'POST /api/v1/clusters',
        {},
        accepted ? { ...request, accept_host_access: true } : request,
      );
      this.store.accept(jobId);
      this.dialog.close(jobId);
      return undefined;
    } catch (error) {
      const problem = ApiProblem.of(error);
      if (problem.code === 'confirmation_required' && Array.isArray(problem.details)) {
        const isAccepted = await this.acceptAccess(problem.details as HostAccessDto[]);
        return isAccepted ? this.send(true) : undefined;
      }
      return problemsOf(problem).map((entry) => errorOf(this.form, entry, this.model()));
    }
  }

  private acceptAccess(access: readonly HostAccessDto[]): Promise<boolean> {
    return this.confirm.ask({
      title: $localize`Allow access to the host?`,
      text: [
        $localize`Every workload in the cluster gets this access. Continue only if you trust the config.`,
      ],
      losses: access.map(({ path, what }) => `${path} ${what}`),
      action: $localize`Allow and create`,
    });
  }

  private async showProblems(): Promise<void> {
    const errors = this.form().errorSummary();
    const data = errors.map(({ fieldTree, message }): ListedProblem => {
      const value: unknown = fieldTree().value();
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      return {
        label: labelOf(fieldTree, this.model()),
        // Configs and values of addons are too long to show.
        value: text.includes('\n') ? '' : text,
        message: message ?? '',
      };
    });
    const at = await this.dialogs.open<number>(() => Promise.resolve(ProblemsDialog), {
      data,
      asks: true,
      restoreFocus: false,
      width: '560px',
    });
    const error = errors[at ?? 0];
    if (!error) return;
    const [field, index, part] = error.fieldTree().name().split('.').slice(1);
    if (field === 'addons') this.addons().goTo(Number(index), part);
    else error.fieldTree().focusBoundControl();
    if (field === 'config') this.selectLine((error as Partial<CreateError>).line);
  }

  private selectLine(line: number | null | undefined): void {
    const area = this.config()?.nativeElement;
    if (!line || !area) return;
    const lines = area.value.split('\n');
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }

  private async check(body: string): Promise<void> {
    let checked: Check | null = null;
    let problem = '';
    try {
      const request = JSON.parse(body) as CreateClusterDto;
      checked = { body, ...(await this.api.send('POST /api/v1/clusters/check', {}, request)) };
    } catch (error) {
      const { fields, message } = ApiProblem.of(error);
      if (fields.length > 0) checked = { body, problems: fields };
      else problem = message;
    }
    if (body !== this.checkBody()) return;
    this.checked.set(checked);
    this.checkProblem.set(problem);
  }
}

/** A number of nodes to draw, also for an invalid entry. */
function wholeUpTo(most: number, count: number | null): number {
  return Math.max(0, Math.min(most, Math.floor(count ?? 0)));
}

function isNamed({ name }: CreateModel): boolean {
  return CLUSTER_NAME.test(name.trim());
}

function bodyOf(model: CreateModel): string {
  return JSON.stringify(requestOf(isNamed(model) ? model : { ...model, name: 'unnamed' }));
}
