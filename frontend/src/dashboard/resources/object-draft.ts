import { computed, signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ReplacedResourceDto, ResourceObjectDto } from '../../shared/api/api-types';
import { nameOf } from './resource-address';
import type { ResourcesApi } from './resources-api';

/** What is shown: the text, what saving it would change, or how it differs from what somebody else saved. */
export type DraftView = 'edit' | 'review' | 'theirs';

const RESOURCE_VERSION = /^( {2}resourceVersion: ).*$/m;

/** An object's YAML while a person edits it. What was typed is never thrown away without being asked for. */
export class ObjectDraft {
  private readonly opened = signal<ResourceObjectDto | undefined>(undefined);
  private readonly newest = signal<ResourceObjectDto | undefined>(undefined);
  private readonly asked = signal<ReplacedResourceDto | undefined>(undefined);
  private readonly failure = signal<ApiProblem | null>(null);

  /** What the editor holds. */
  readonly text = signal('');
  readonly view = signal<DraftView>('edit');
  readonly busy = signal(false);
  /** The object that the text was begun from. */
  readonly base = this.opened.asReadonly();
  /** What saving would do, as the cluster said; of the text as it was then. */
  readonly review = this.asked.asReadonly();
  readonly problem = this.failure.asReadonly();
  readonly dirty = computed(() => {
    const base = this.opened();
    return base !== undefined && base.yaml !== this.text();
  });
  /** What somebody else saved since, where that stands in the way of the text. */
  readonly theirs = computed(() => {
    const newest = this.newest();
    const base = this.opened();
    return newest && base && newest.yaml !== base.yaml ? newest : undefined;
  });

  constructor(
    private readonly api: Pick<ResourcesApi, 'object' | 'replace'>,
    private readonly key: ClusterKey,
    private readonly saved: (outcome: ReplacedResourceDto) => void,
  ) {}

  /** The object as it is now. It takes the text's place only where nothing was typed. */
  follow(object: ResourceObjectDto): void {
    if (this.dirty() || this.view() === 'review') {
      this.newest.set(object);
      return;
    }
    this.newest.set(undefined);
    this.opened.set(object);
    this.text.set(object.yaml);
  }

  /** Asks the cluster what it would make of the text. */
  async check(): Promise<void> {
    const answer = await this.send(true);
    if (!answer) return;
    this.asked.set(answer);
    this.view.set('review');
  }

  async save(): Promise<void> {
    const text = this.text();
    const answer = await this.send(false);
    if (!answer) return;
    this.view.set('edit');
    this.asked.set(undefined);
    this.saved(answer);
    await this.readAgain(text);
  }

  discard(): void {
    const base = this.theirs() ?? this.opened();
    this.failure.set(null);
    this.newest.set(undefined);
    this.view.set('edit');
    if (!base) return;
    this.opened.set(base);
    this.text.set(base.yaml);
  }

  edit(): void {
    this.view.set('edit');
  }

  compare(): void {
    this.view.set('theirs');
  }

  /** Leaves the text and has it follow on theirs, so that saving it is possible and says what of theirs goes. */
  keepMine(): void {
    const theirs = this.theirs();
    if (!theirs) return;
    this.opened.set(theirs);
    this.newest.set(undefined);
    this.failure.set(null);
    this.view.set('edit');
    this.text.update((text) => text.replace(RESOURCE_VERSION, `$1"${theirs.resource_version}"`));
  }

  private async send(dryRun: boolean): Promise<ReplacedResourceDto | undefined> {
    const base = this.opened();
    if (!base || this.busy()) return undefined;
    this.busy.set(true);
    this.failure.set(null);
    try {
      return await this.api.replace(this.key, nameOf(base), this.text(), dryRun);
    } catch (error) {
      const problem = ApiProblem.of(error);
      this.failure.set(problem);
      this.view.set('edit');
      if (problem.code === 'resource_conflict') await this.readTheirs();
      return undefined;
    } finally {
      this.busy.set(false);
    }
  }

  private async readTheirs(): Promise<void> {
    const base = this.opened();
    if (!base) return;
    const theirs = await this.api.object(this.key, nameOf(base)).catch(() => undefined);
    if (theirs) this.newest.set(theirs);
  }

  /** What the cluster made of it; what was typed while it was saved stays. */
  private async readAgain(sent: string): Promise<void> {
    const base = this.opened();
    if (!base) return;
    const now = await this.api.object(this.key, nameOf(base)).catch(() => undefined);
    if (!now) return;
    this.opened.set(now);
    this.newest.set(undefined);
    if (this.text() === sent) this.text.set(now.yaml);
  }
}
