import type { SourceIdentity } from '../../drivers/log-store/index.js';
import type { SourceState } from './source-state.js';
import { SlidingWindow } from './sliding-window.js';

export class SourceEntry {
  state: SourceState = 'gone';
  reason: string | null = null;
  /** Lines of the last 10 s. */
  readonly recent = new SlidingWindow(10, 10);

  constructor(
    readonly id: number,
    public identity: SourceIdentity,
  ) {}
}
