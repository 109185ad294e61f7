import type { SourceIdentity } from '../../drivers/log-store/index.js';
import type { SourceState } from './source-state.js';
import { RateMeter } from './rate-meter.js';

/** A source and its current state. */
export class SourceEntry {
  state: SourceState = 'gone';
  /** Why the source is not live. */
  reason: string | null = null;
  readonly meter = new RateMeter();

  constructor(
    readonly id: number,
    public identity: SourceIdentity,
  ) {}
}
