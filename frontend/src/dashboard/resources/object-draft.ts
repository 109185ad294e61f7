import { computed, signal } from '@angular/core';
import type { Api, ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ReplacedResourceDto, ResourceObjectDto } from '../../shared/api/api-types';
import { nameOf, OBJECT, objectParams } from '../resource-model/resource-address';

/** `review` shows the diff of the dry run, `theirs` the diff to the version saved by someone else. */
export type DraftView = 'edit' | 'review' | 'theirs';

const RESOURCE_VERSION = /^( {2}resourceVersion: ).*$/m;

/** The YAML of an object being edited. Input is only discarded by `discard`. */
export class ObjectDraft {
  private readonly baseObject = signal<ResourceObjectDto | undefined>(undefined);
  private readonly newest = signal<ResourceObjectDto | undefined>(undefined);
  private readonly reviewed = signal<ReplacedResourceDto | undefined>(undefined);
  private readonly failure = signal<ApiProblem | null>(null);

  readonly text = signal('');
  readonly view = signal<DraftView>('edit');
  readonly busy = signal(false);
  readonly base = this.baseObject.asReadonly();
  readonly review = this.reviewed.asReadonly();
  readonly problem = this.failure.asReadonly();
  readonly dirty = computed(() => {
    const base = this.baseObject();
    return base !== undefined && base.yaml !== this.text();
  });
  /** A newer version saved by someone else, which blocks saving. */
  readonly theirs = computed(() => {
    const newest = this.newest();
    const base = this.baseObject();
    return newest && base && newest.yaml !== base.yaml ? newest : undefined;
  });

  constructor(
    private readonly api: Pick<Api, 'get' | 'send'>,
    readonly key: ClusterKey,
    private readonly saved: (outcome: ReplacedResourceDto) => void,
  ) {}

  /** Takes a new version of the object. It replaces the text only if the text was not edited. */
  follow(object: ResourceObjectDto): void {
    if (this.dirty() || this.view() === 'review') {
      this.newest.set(object);
      return;
    }
    this.newest.set(undefined);
    this.baseObject.set(object);
    this.text.set(object.yaml);
  }

  async check(): Promise<void> {
    const result = await this.send(true);
    if (!result) return;
    this.reviewed.set(result);
    this.view.set('review');
  }

  /** Does nothing if a newer version is known: the server would reject the save. */
  async save(): Promise<void> {
    if (this.theirs()) return;
    const text = this.text();
    const result = await this.send(false);
    if (!result) return;
    this.view.set('edit');
    this.reviewed.set(undefined);
    this.saved(result);
    const now = await this.readNow();
    if (!now) return;
    this.baseObject.set(now);
    this.newest.set(undefined);
    // Keeps what was typed during the save.
    if (this.text() === text) this.text.set(now.yaml);
  }

  discard(): void {
    const base = this.theirs() ?? this.baseObject();
    this.failure.set(null);
    this.newest.set(undefined);
    this.view.set('edit');
    if (!base) return;
    this.baseObject.set(base);
    this.text.set(base.yaml);
  }

  /** Keeps the text but bases it on the newer version, so that the review shows what it would overwrite. */
  keepMine(): void {
    const theirs = this.theirs();
    if (!theirs || this.busy()) return;
    this.baseObject.set(theirs);
    this.newest.set(undefined);
    this.failure.set(null);
    this.view.set('edit');
    this.text.update((text) => text.replace(RESOURCE_VERSION, `$1"${theirs.resource_version}"`));
  }

  private async send(dryRun: boolean): Promise<ReplacedResourceDto | undefined> {
    const base = this.baseObject();
    if (!base || this.busy()) return undefined;
    this.busy.set(true);
    this.failure.set(null);
    try {
      return await this.api.send(
        `PUT ${OBJECT}`,
        { ...objectParams(this.key, nameOf(base)), dry_run: dryRun },
        { yaml: this.text() },
      );
    } catch (error) {
      const problem = ApiProblem.of(error);
      this.failure.set(problem);
      this.view.set('edit');
      if (problem.code === 'resource_conflict') this.newest.set((await this.readNow()) ?? this.newest());
      return undefined;
    } finally {
      this.busy.set(false);
    }
  }

  /** The saved version; undefined if it cannot be loaded. */
  private async readNow(): Promise<ResourceObjectDto | undefined> {
    const base = this.baseObject();
    return base && (await this.api.get(OBJECT, objectParams(this.key, nameOf(base))).catch(() => undefined));
  }
}
