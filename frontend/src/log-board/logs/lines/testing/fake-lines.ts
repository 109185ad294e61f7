import { signal } from '@angular/core';
import type { ApiProblem } from '../../../../shared/api/api-problem';
import type { OpenedSource, OpeningState } from '../live-lines';

/** Lines without rows; throws for calls that need rows. */
export class FakeLines {
  readonly version = signal(0);
  readonly state = signal<OpeningState>('nothing selected');
  readonly problem = signal<ApiProblem | null>(null);
  readonly unfollowed = signal(0);
  readonly opened: string[] = [];
  readonly located: number[] = [];
  ids: readonly number[] = [];
  first = 1;
  end = 1;
  arrived = 0;
  skipped = 0;
  tries = 0;
  hasRoom = true;

  holds(id: number): boolean {
    return this.ids.includes(id);
  }

  hasRoomFor(): boolean {
    return this.hasRoom;
  }

  pause(): void {
    this.opened.push('standing still');
  }

  close(): void {
    this.opened.push('closed');
  }

  shows(sources: readonly OpenedSource[]): boolean {
    return sources.map(({ id }) => id).join() === this.ids.join();
  }

  open(sources: readonly OpenedSource[]): void {
    this.ids = sources.map(({ id }) => id);
    this.opened.push(sources.map(({ id, state }) => `${id} ${state}`).join());
  }

  synchronize(): Promise<void> {
    this.tries += 1;
    return Promise.resolve();
  }

  locateTime(time: number): Promise<number> {
    this.located.push(time);
    return Promise.resolve(1);
  }

  locate(): Promise<number> {
    return Promise.resolve(4);
  }

  row(): undefined {
    return undefined;
  }
}
