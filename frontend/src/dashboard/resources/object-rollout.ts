import { Component, computed, effect, inject, input, signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto, RevisionDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { ConfigDiff } from '../editor/config-diff';
import { rightsIn } from '../external/kind-rights';
import { nameOf, OBJECT, objectParams } from '../resource-model/resource-address';
import { ResourceActions } from './resource-actions';

/** Longer than a double click. */
const SETTLE_MS = 1000;

/** The revisions of a workload, what each would change, and the way back to it. */
@Component({
  selector: 'sw-object-rollout',
  imports: [ConfigDiff, UI],
  template: `
    @if (read.value(); as rollout) {
      @if (rollout.paused) {
        <sw-notice i18n tone="warning">
          <b>The rollout is paused.</b> Changes of the Pod template wait. Resume it before you roll back.
        </sw-notice>
      }
      <ul class="row-list">
        @for (revision of rollout.revisions; track revision.revision) {
          <li>
            <button
              [swIconButton]="open() === revision.revision ? 'chevron-down' : 'chevron-right'"
              large
              label="Changes of revision {{ revision.revision }}"
              i18n-label
              title=""
              [attr.aria-expanded]="open() === revision.revision"
              (click)="toggle(revision)"
            ></button>
            <div class="fill">
              <div class="flow tight">
                <b i18n class="medium">Revision {{ revision.revision }}</b>
                @if (revision.current) {
                  <span i18n class="tag plain">Current</span>
                }
                @if (revision.ready === false) {
                  @if (revision.current) {
                    <span i18n class="tag plain warning-text">Not ready yet</span>
                  } @else {
                    <span i18n class="tag plain error-text">Never became ready</span>
                  }
                }
                @if (revision.created_at; as time) {
                  <span class="muted xs nowrap"><sw-ago [time]="time" /></span>
                }
                @if (revision.pods; as pods) {
                  <span i18n class="muted xs nowrap">{pods, plural, =1 {1 Pod} other {{{ pods }} Pods}}</span>
                }
              </div>
              <p class="mono xs soft">{{ revision.images.join(', ') }}</p>
              @if (revision.change_cause; as cause) {
                <p class="soft">{{ cause }}</p>
              }
            </div>
            @if (!revision.current) {
              <button
                class="btn small"
                data-changes
                [attr.data-denied]="rights.deniedAction('undo', object().type)"
                [attr.aria-disabled]="rollout.paused || busy() || moved() || null"
                (click)="rollBack(revision)"
              >
                <sw-icon name="refresh" /><ng-container i18n
                  >Roll back to {{ revision.revision }}</ng-container
                >
              </button>
            }
          </li>
          @if (open() === revision.revision) {
            @let diff = diffOf(revision);
            <li class="diff">
              <p class="muted xs">{{ diff.title }}</p>
              <sw-config-diff [label]="diff.title" [before]="diff.before" [after]="diff.after" />
            </li>
          }
        }
      </ul>
      @if (rollout.revisions.length === 0) {
        <sw-placeholder i18n heading="No revisions" i18n-heading>
          No earlier revisions of this workload exist.
        </sw-placeholder>
      }
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load the revisions" i18n-heading [of]="read" />
    } @else {
      <sw-skeleton-rows label="Loading the revisions" i18n-label [height]="56" [count]="3" />
    }
  `,
  styles: `
    .diff {
      display: grid;
      gap: 6px;
      padding-block: 0 12px;
      border-top: 0;
    }
  `,
})
export class ObjectRollout {
  private readonly actions = inject(ResourceActions);

  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  protected readonly rights = rightsIn(() => ({ key: this.key(), namespaces: [this.object().namespace] }));
  protected readonly open = signal<number | null>(null);
  protected readonly busy = signal(false);
  /** Read again with each version of the workload. */
  protected readonly read = apiResource(
    `${OBJECT}/rollout`,
    () => objectParams(this.key(), nameOf(this.object())),
    { reloadOn: this.object },
  );
  /** For a moment after the list has changed its order: the pointer may be on another revision then. */
  protected readonly moved = signal(false);
  private readonly order = computed(() =>
    this.revisions()
      .map(({ revision }) => revision)
      .join(' '),
  );
  private readonly revisions = computed(() => this.read.value()?.revisions ?? []);

  constructor() {
    let before = '';
    effect((onCleanup) => {
      const order = this.order();
      const isFirst = before === '';
      before = order;
      if (isFirst) return;
      this.moved.set(true);
      const timer = setTimeout(() => this.moved.set(false), SETTLE_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected toggle({ revision }: RevisionDto): void {
    this.open.update((open) => (open === revision ? null : revision));
  }

  /** Of the current revision what it changed, of an earlier one what a rollback to it would change. */
  protected diffOf(revision: RevisionDto): { title: string; before: string; after: string } {
    const [current, previous] = this.revisions();
    const number = revision.revision;
    if (!revision.current) {
      const title = $localize`A rollback to revision ${number}:number: changes the Pod template:`;
      return { title, before: current?.template ?? '', after: revision.template };
    }
    return previous
      ? {
          title: $localize`Changed since revision ${previous.revision}:number::`,
          before: previous.template,
          after: revision.template,
        }
      : { title: $localize`The Pod template`, before: revision.template, after: revision.template };
  }

  protected async rollBack({ revision }: RevisionDto): Promise<void> {
    if (this.busy() || this.moved() || this.read.value()?.paused) return;
    this.busy.set(true);
    if (await this.actions.rollBack(this.key(), nameOf(this.object()), revision)) {
      this.open.set(null);
      this.read.reload();
    }
    this.busy.set(false);
  }
}
