import { Component, computed, DestroyRef, inject, input, output } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { CauseDto, FixDto } from '../../shared/api/api-types';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { UI } from '../../shared/ui/ui';
import type { LogBoardTarget } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import type { ObjectName } from '../resource-model/resource-address';
import { ResourceActions } from './resource-actions';

/** The ways to remove a cause: a button for each fix, and the log that explains it. Empty without both. */
@Component({
  selector: 'sw-cause-fixes',
  imports: [LogLink, UI],
  template: `
    @for (fix of cause().fixes; track fix.code + fix.changes) {
      <button class="btn small" data-changes title="{{ fix.changes | swRaw }}" (click)="apply(fix)">
        {{ fix.label | swRaw }}…
      </button>
    }
    @if (log(); as log) {
      <sw-log-link [of]="log" [name]="cause().object.name" />
    }
  `,
  styles: `
    :host {
      min-height: var(--h-small);
    }
  `,
  host: { class: 'flow tight', '[hidden]': 'cause().fixes.length === 0 && !log() && !awaited()' },
})
export class CauseFixes {
  private readonly actions = inject(ResourceActions);
  private readonly destroyed = inject(DestroyRef);
  readonly key = input.required<ClusterKey>();
  /** Whose diagnosis offers the fixes. */
  readonly object = input.required<ObjectName>();
  readonly cause = input.required<CauseDto>();
  /** Whether the fixes are still to come. Their place is kept. */
  readonly awaited = input(false);
  readonly applied = output();

  /** The last line of a container that left some. */
  protected readonly log = computed<LogBoardTarget | undefined>(() => {
    const { object, evidence } = this.cause();
    if (!evidence.some(({ source }) => source === 'log')) return undefined;
    const { runtime, name: cluster } = this.key();
    const { namespace, name: pod } = object;
    const ended = evidence.find(({ source, time }) => source === 'state' && time !== null)?.time;
    return {
      ...{ runtime, cluster, namespace: namespace ?? undefined, pod },
      ...(ended && { at: ended }),
    };
  });

  protected async apply(fix: FixDto): Promise<void> {
    const { container } = this.cause();
    // The button that has the focus goes with its cause.
    this.destroyed.onDestroy(catchLostFocus);
    const question = { key: this.key(), object: this.object(), fix, container };
    if (await this.actions.fix(question)) this.applied.emit();
  }
}
