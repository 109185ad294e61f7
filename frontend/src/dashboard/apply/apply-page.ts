import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { form, FormField } from '@angular/forms/signals';
import { Api, clusterPage, isUp } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AppliedDocumentDto, AppliedDto, ConfigProblemDto } from '../../shared/api/api-types';
import { Confirm } from '../../shared/ui/confirm';
import { UI } from '../../shared/ui/ui';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { OfCluster } from '../cluster-context/of-cluster';
import { NoCluster } from '../cluster-context/no-cluster';
import { ConfigEditor } from '../editor/config-editor';
import { DiffDetails } from '../editor/diff-details';
import { ProblemList } from '../editor/problem-list';
import type { ObjectName } from '../resource-model/resource-address';
import { rightsIn } from '../external/kind-rights';
import { KindSchemas } from '../resources/kind-schemas';
import { AppliedObject } from './applied-object';
import { appendDocument, appendFile, outcomeLabel, planOf, titleOf } from './apply-plan';
import { TEMPLATES } from './templates';

/** The server's request limit, less JSON overhead. */
const MAX_BYTES = 240_000;

/** Applies pasted or dropped YAML to a cluster, after a dry run that shows the changes. */
@Component({
  selector: 'sw-apply-page',
  imports: [AppliedObject, Breadcrumbs, ConfigEditor, DiffDetails, FormField, NoCluster, ProblemList, UI],
  templateUrl: './apply-page.html',
  styleUrl: './apply-page.scss',
  host: {
    '(window:beforeunload)': 'beforeUnload($event)',
    '(dragover)': 'dragOver($event)',
    '(dragleave)': 'over.set(false)',
    '(drop)': 'drop($event)',
  },
})
export class ApplyPage extends OfCluster {
  private readonly confirm = inject(Confirm);
  private readonly api = inject(Api);
  protected readonly editor = viewChild(ConfigEditor);

  private readonly reachable = computed(() => (isUp(this.cluster()) ? this.key() : undefined));
  protected readonly schemas = new KindSchemas(this.reachable);
  protected readonly pageOf = clusterPage;
  protected readonly crumbs = clusterCrumbs(this.name, this.key, () => $localize`Apply YAML`);

  /** The applied objects, by their documents. Each keeps its identity, so that it is read again only at an interval. */
  private readonly applied = computed(() => {
    const result = this.result();
    const documents = result?.dry_run === false ? result.documents : [];
    return new Map(
      documents.flatMap((document): [AppliedDocumentDto, ObjectName][] => {
        const { group, version, plural, namespace, name, outcome } = document;
        const isKnown = group !== null && version !== null && plural !== null && name !== null;
        return isKnown && outcome !== 'failed'
          ? [[document, { group, version, plural, namespace, name }]]
          : [];
      }),
    );
  });

  private readonly model = signal({ text: '', namespace: '', force: false });
  protected readonly form = form(this.model);
  private readonly input = computed(() => JSON.stringify(this.model()));
  private readonly rights = rightsIn(() => ({ key: this.key() }));
  protected readonly denied = computed(() => this.rights.denied(null, ['create', 'patch']));
  protected readonly over = signal(false);
  protected readonly busy = signal<'check' | 'apply' | null>(null);
  protected readonly problem = signal<string | null>(null);
  private readonly last = signal<{ input: string; result: AppliedDto } | null>(null);
  /** The last result while it matches the input. */
  protected readonly result = computed(() => {
    const last = this.last();
    return last?.input === this.input() ? last.result : null;
  });
  protected readonly plan = computed(() => {
    const result = this.result();
    return result && planOf(result.documents, result.dry_run);
  });
  protected readonly problems = computed<readonly ConfigProblemDto[]>(() => this.plan()?.problems ?? []);
  /** Offered after a conflict; stays visible while checked. */
  protected readonly mayForce = computed(() => this.model().force || (this.plan()?.conflicts ?? false));
  protected readonly applicable = computed(() => {
    const [result, plan] = [this.result(), this.plan()];
    return result?.dry_run === true && plan !== null && plan.changes > 0 && plan.failed === 0;
  });
  protected readonly isEmpty = computed(() => this.model().text.trim() === '');
  private readonly isApplied = computed(() => this.result()?.dry_run === false && this.plan()?.failed === 0);
  protected readonly resultTitle = computed(() =>
    this.result()?.dry_run ? $localize`Changes` : $localize`Applied`,
  );
  protected readonly titleOf = titleOf;
  protected readonly outcomeLabel = outcomeLabel;
  protected readonly templates = TEMPLATES;

  /** Called by the router before it leaves the page. */
  async mayLeave(): Promise<boolean> {
    if (this.isEmpty() || this.isApplied()) return true;
    return await this.confirm.ask({
      title: $localize`Discard changes?`,
      text: [$localize`Your YAML is not saved.`],
      action: $localize`Discard`,
      danger: true,
    });
  }

  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (!this.isEmpty() && !this.isApplied()) event.preventDefault();
  }

  protected dragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.over.set(true);
  }

  protected drop(event: DragEvent): void {
    this.over.set(false);
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    event.preventDefault();
    void this.add([...files]);
  }

  protected pick(event: Event): void {
    const field = event.target as HTMLInputElement;
    void this.add([...(field.files ?? [])]);
    // Lets the same file be chosen again.
    field.value = '';
  }

  protected addTemplate(kind: string): void {
    const template = this.templates.find((each) => each.kind === kind);
    if (template) this.form.text().value.update((before) => appendDocument(before, template.yaml));
  }

  protected check(): void {
    void this.send(true);
  }

  protected apply(): void {
    if (this.applicable()) void this.send(false);
  }

  protected appliedOf(document: AppliedDocumentDto): ObjectName | undefined {
    return this.applied().get(document);
  }

  protected stateOf({ outcome }: AppliedDocumentDto): 'failed' | 'ok' | 'skipped' {
    if (outcome === 'failed') return 'failed';
    return outcome === 'unchanged' ? 'skipped' : 'ok';
  }

  private async add(files: readonly File[]): Promise<void> {
    this.problem.set(null);
    for (const file of files) {
      if (this.model().text.length + file.size > MAX_BYTES) {
        this.problem.set(
          $localize`Could not add ${file.name}:file:. The YAML would exceed ${MAX_BYTES / 1000}:limit: kB. Apply it in parts.`,
        );
        return;
      }
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
        this.form.text().value.update((before) => appendFile(before, { name: file.name, text }));
      } catch {
        this.problem.set($localize`Could not read ${file.name}:file: as UTF-8 text.`);
      }
    }
  }

  private async send(dryRun: boolean): Promise<void> {
    const key = this.key();
    if (!key || this.isEmpty() || this.busy() !== null) return;
    const input = this.input();
    const { text, namespace, force } = this.model();
    this.busy.set(dryRun ? 'check' : 'apply');
    this.problem.set(null);
    try {
      const result = await this.api.send('POST /api/v1/clusters/{name}/resources/apply', key, {
        yaml: text,
        namespace: namespace.trim() || undefined,
        dry_run: dryRun,
        force,
      });
      this.last.set({ input, result });
      const [first] = planOf(result.documents, dryRun).problems;
      if (first) setTimeout(() => this.editor()?.goTo(first));
    } catch (thrown) {
      this.last.set(null);
      this.problem.set(ApiProblem.of(thrown).message);
    } finally {
      this.busy.set(null);
    }
  }
}
