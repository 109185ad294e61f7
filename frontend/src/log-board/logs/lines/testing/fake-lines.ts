import { signal } from '@angular/core';
import type { ApiProblem } from '../../../../shared/api/api-problem';
import type { OpenedSource } from '../followed-sources';
import type { OpeningState, Period } from '../live-lines';

/** Lines without rows; throws for calls that need rows. */
export class FakeLines {
  readonly version = signal(0);
  readonly state = signal<OpeningState>('nothing selected');
  readonly problem = signal<ApiProblem | null>(null);
  readonly unfollowed = signal(0);
  readonly applied = signal<Period>({ from: null, to: null });
  readonly isBounded = signal(false);
  readonly opened: string[] = [];
  first = 1;
  end = 1;
  received = 0;
  skipped = 0;
  tries = 0;
  setPeriod = this.applied.set.bind(this.applied);

  open(sources: readonly OpenedSource[]): void {
    this.opened.push(sources.map(({ id, state }) => `${id} ${state}`).join());
  }

  synchronize(): Promise<void> {
    this.tries += 1;
    return Promise.resolve();
  }

  locate(): Promise<null> {
    return Promise.resolve(null);
  }
}
