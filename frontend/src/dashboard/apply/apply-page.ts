import { HttpClient } from '@angular/common/http';
import { Component, computed, inject, input, signal, viewChild } from '@angular/core';
import { RouterLink } from '@angular/router';
import { firstValueFrom } from 'rxjs';
import { clusterPage, clusterUrl } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AppliedDocumentDto, AppliedDto, ConfigProblemDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { State } from '../../shared/ui/state';
import { chosenCluster } from '../cluster/chosen-cluster';
import { EngineChoice } from '../cluster/engine-choice';
import { ListPlace } from '../clusters/list-place';
import { ConfigDifference } from '../config/config-difference';
import { ConfigEditor } from '../config/config-editor';
import { Breadcrumbs } from '../shell/breadcrumbs';
import { planOf, titleOf, withFile, wordOf } from './apply-plan';

/** What the server takes in one request, less what JSON adds to a text. */
const MOST_BYTES = 240_000;

interface Answer extends AppliedDto {
  /** What it is the answer to. */
  text: string;
  namespace: string;
  force: boolean;
}

/** YAML, pasted or dropped, given to a cluster: first what it would change, then the change. */
@Component({
  selector: 'sw-apply-page',
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
  templateUrl: './apply-page.html',
  styleUrl: './apply-page.scss',
  host: {
    '(window:beforeunload)': 'beforeUnload($event)',
    '(dragover)': 'dragOver($event)',
    '(dragleave)': 'over.set(false)',
    '(drop)': 'drop($event)',
  },
})
export class ApplyPage {
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly http = inject(HttpClient);
  private readonly place = inject(ListPlace);
  private readonly editor = viewChild(ConfigEditor);

  /** From the address. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();

  private readonly chosen = chosenCluster(this.name, this.runtime);
  protected readonly choice = this.chosen.choice;
  protected readonly cluster = this.chosen.cluster;
  protected readonly live = this.clusters.live;
  protected readonly pageOf = clusterPage;
  protected readonly crumbs = computed(() => {
    const key = this.chosen.key();
    const { path, query } = key ? clusterPage(key) : { path: ['/cluster', this.name()], query: undefined };
    return [
      { text: 'Clusters', link: '/clusters', query: this.place.params },
      { text: this.name(), link: path, ...(query ? { query } : {}) },
      { text: 'Apply YAML' },
    ];
  });

  protected readonly text = signal('');
  protected readonly namespace = signal('');
  protected readonly force = signal(false);
  protected readonly over = signal(false);
  protected readonly busy = signal<'check' | 'apply' | null>(null);
  protected readonly problem = signal<string | null>(null);
  private readonly last = signal<Answer | null>(null);
  /** The answer, as long as it is about what stands in the fields. */
  protected readonly answer = computed(() => {
    const last = this.last();
    const current =
      last?.text === this.text() && last.namespace === this.namespace() && last.force === this.force();
    return current ? last : null;
  });
  protected readonly plan = computed(() => {
    const answer = this.answer();
    return answer && planOf(answer.documents, answer.dry_run);
  });
  protected readonly problems = computed<readonly ConfigProblemDto[]>(() => this.plan()?.problems ?? []);
  /** Once it was asked for by a conflict it stays to be taken back. */
  protected readonly mayForce = computed(() => this.force() || (this.plan()?.conflicts ?? false));
  protected readonly applicable = computed(() => {
    const [answer, plan] = [this.answer(), this.plan()];
    return answer?.dry_run === true && plan !== null && plan.changes > 0;
  });
  protected readonly isEmpty = computed(() => this.text().trim() === '');
  private readonly kept = computed(() => {
    const answer = this.answer();
    return answer !== null && !answer.dry_run && this.plan()?.failed === 0;
  });
  protected readonly titleOf = titleOf;
  protected readonly wordOf = wordOf;

  constructor() {
    this.live.watch();
  }

  /** Asked by the router before it shows another page. */
  async mayLeave(): Promise<boolean> {
    if (this.isEmpty() || this.kept()) return true;
    return await this.confirm.ask({
      title: 'Leave what you have not applied?',
      text: ['The text is kept nowhere else.'],
      action: 'Leave it',
      keep: 'Stay here',
      danger: true,
    });
  }

  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (!this.isEmpty() && !this.kept()) event.preventDefault();
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
    // The same file may be chosen again.
    field.value = '';
  }

  protected check(): void {
    void this.send(true);
  }

  protected async apply(): Promise<void> {
    const failed = this.plan()?.failed ?? 0;
    if (!this.applicable()) return;
    const sure =
      failed === 0 ||
      (await this.confirm.ask({
        title: `Apply without ${plural(failed, 'document')}?`,
        text: [
          'The check refuses them. The others are applied all the same, and what was refused is tried once more.',
        ],
        action: 'Apply all the same',
        keep: 'Leave it',
      }));
    if (sure) await this.send(false);
  }

  protected goTo({ line }: AppliedDocumentDto): void {
    this.editor()?.goTo({ line, column: 1 });
  }

  protected outcomeOf({ outcome }: AppliedDocumentDto): 'failed' | 'ok' | 'skipped' {
    if (outcome === 'failed') return 'failed';
    return outcome === 'unchanged' ? 'skipped' : 'ok';
  }

  private async add(files: readonly File[]): Promise<void> {
    this.problem.set(null);
    for (const file of files) {
      if (this.text().length + file.size > MOST_BYTES) {
        this.problem.set(
          `${file.name} is not taken in: a text of more than ${MOST_BYTES / 1000} kB has to be applied in parts.`,
        );
        return;
      }
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
        this.text.update((before) => withFile(before, { name: file.name, text }));
      } catch {
        this.problem.set(`${file.name} is not taken in: it is no text in UTF-8, or cannot be read.`);
      }
    }
  }

  private async send(dryRun: boolean): Promise<void> {
    const key = this.chosen.key();
    if (!key || this.isEmpty() || this.busy() !== null) return;
    const asked = { text: this.text(), namespace: this.namespace(), force: this.force() };
    this.busy.set(dryRun ? 'check' : 'apply');
    this.problem.set(null);
    try {
      const answer = await firstValueFrom(
        this.http.post<AppliedDto>(clusterUrl(key, '/resources/apply'), {
          yaml: asked.text,
          ...(asked.namespace.trim() === '' ? {} : { namespace: asked.namespace.trim() }),
          dry_run: dryRun,
          force: asked.force,
        }),
      );
      this.last.set({ ...answer, ...asked });
      const [first] = planOf(answer.documents, dryRun).problems;
      if (first) setTimeout(() => this.editor()?.goTo(first));
    } catch (thrown) {
      this.last.set(null);
      this.problem.set(ApiProblem.of(thrown).message);
    } finally {
      this.busy.set(null);
    }
  }
}
