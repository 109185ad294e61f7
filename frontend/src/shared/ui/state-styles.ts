import type { ClusterState, JobState, JournalOutcome, StepState } from '../api/api-types';

/** What can be shown by shape, colour and word. */
export type ShownState = ClusterState | JobState | JournalOutcome | StepState | 'ok' | 'warning' | 'problem';

export type StateColor = 'running' | 'stopped' | 'paused' | 'creating' | 'degraded' | 'failed';
export type StateShape =
  'disc' | 'ring' | 'bars' | 'arc' | 'triangle' | 'cross' | 'check' | 'struck' | 'clock' | 'question' | 'dot';

interface StateStyle {
  word: string;
  color: StateColor;
  shape: StateShape;
}

export const STATE_STYLES: Readonly<Record<ShownState, StateStyle>> = {
  creating: { word: 'Creating', color: 'creating', shape: 'arc' },
  running: { word: 'Running', color: 'running', shape: 'disc' },
  degraded: { word: 'Degraded', color: 'degraded', shape: 'triangle' },
  paused: { word: 'Paused', color: 'paused', shape: 'bars' },
  stopped: { word: 'Stopped', color: 'stopped', shape: 'ring' },
  starting: { word: 'Starting', color: 'creating', shape: 'arc' },
  stopping: { word: 'Stopping', color: 'creating', shape: 'arc' },
  deleting: { word: 'Deleting', color: 'creating', shape: 'arc' },
  failed: { word: 'Failed', color: 'failed', shape: 'cross' },
  missing: { word: 'Missing', color: 'failed', shape: 'question' },
  unknown: { word: 'Unknown', color: 'stopped', shape: 'question' },
  queued: { word: 'Queued', color: 'stopped', shape: 'clock' },
  succeeded: { word: 'Succeeded', color: 'running', shape: 'check' },
  cancelled: { word: 'Cancelled', color: 'stopped', shape: 'struck' },
  interrupted: { word: 'Interrupted', color: 'degraded', shape: 'triangle' },
  started: { word: 'Started', color: 'creating', shape: 'arc' },
  pending: { word: 'Not begun', color: 'stopped', shape: 'dot' },
  skipped: { word: 'Left out', color: 'stopped', shape: 'dot' },
  ok: { word: 'Fine', color: 'running', shape: 'check' },
  warning: { word: 'Warning', color: 'degraded', shape: 'triangle' },
  problem: { word: 'Problem', color: 'failed', shape: 'cross' },
};

/** A running job or step is work under way, a running cluster is at rest: the same word, two looks. */
const AT_WORK: StateStyle = { word: 'Running', color: 'creating', shape: 'arc' };

export function stateStyle(state: ShownState, ofWork = false): StateStyle {
  return ofWork && state === 'running' ? AT_WORK : STATE_STYLES[state];
}
