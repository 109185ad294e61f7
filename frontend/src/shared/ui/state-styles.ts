import type { ClusterState, JobState, JournalOutcome, StepState } from '../api/api-types';

export type ShownState =
  | ClusterState
  | JobState
  | JournalOutcome
  | StepState
  | 'reachable'
  | 'ok'
  | 'optional'
  | 'warning'
  | 'problem';

export type StateShape =
  'disc' | 'ring' | 'bars' | 'arc' | 'triangle' | 'cross' | 'check' | 'struck' | 'clock' | 'question' | 'dot';

interface StateStyle {
  word: string;
  color: 'running' | 'stopped' | 'paused' | 'creating' | 'degraded' | 'failed';
  shape: StateShape;
}

export const STATE_STYLES: Readonly<Record<ShownState, StateStyle>> = {
  creating: { word: $localize`Creating`, color: 'creating', shape: 'arc' },
  running: { word: $localize`Running`, color: 'running', shape: 'disc' },
  // It responds, and nothing else is known.
  reachable: { word: $localize`Reachable`, color: 'running', shape: 'ring' },
  degraded: { word: $localize`Degraded`, color: 'degraded', shape: 'triangle' },
  paused: { word: $localize`Paused`, color: 'paused', shape: 'bars' },
  stopped: { word: $localize`Stopped`, color: 'stopped', shape: 'ring' },
  starting: { word: $localize`Starting`, color: 'creating', shape: 'arc' },
  stopping: { word: $localize`Stopping`, color: 'creating', shape: 'arc' },
  deleting: { word: $localize`Deleting`, color: 'creating', shape: 'arc' },
  failed: { word: $localize`Failed`, color: 'failed', shape: 'cross' },
  missing: { word: $localize`Missing`, color: 'failed', shape: 'question' },
  unknown: { word: $localize`Unknown`, color: 'stopped', shape: 'question' },
  queued: { word: $localize`Queued`, color: 'stopped', shape: 'clock' },
  succeeded: { word: $localize`Succeeded`, color: 'running', shape: 'check' },
  cancelled: { word: $localize`Canceled`, color: 'stopped', shape: 'struck' },
  interrupted: { word: $localize`Interrupted`, color: 'degraded', shape: 'triangle' },
  started: { word: $localize`Started`, color: 'creating', shape: 'arc' },
  pending: { word: $localize`Not started`, color: 'stopped', shape: 'dot' },
  skipped: { word: $localize`Skipped`, color: 'stopped', shape: 'dot' },
  ok: { word: $localize`OK`, color: 'running', shape: 'check' },
  optional: { word: $localize`Optional`, color: 'stopped', shape: 'dot' },
  warning: { word: $localize`Warning`, color: 'degraded', shape: 'triangle' },
  problem: { word: $localize`Problem`, color: 'failed', shape: 'cross' },
};

/** A running job is in progress, a running cluster is in its normal state: same word, other style. */
const IN_PROGRESS: StateStyle = { word: $localize`Running`, color: 'creating', shape: 'arc' };

export function stateStyle(state: ShownState, ofWork = false): StateStyle {
  return ofWork && state === 'running' ? IN_PROGRESS : STATE_STYLES[state];
}
