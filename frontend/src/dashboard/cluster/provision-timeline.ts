import type { ProvisionLogDto, ProvisionStageDto, StepState } from '../../shared/api/api-types';

export interface TimelineStage {
  name: string;
  title: string;
  state: StepState;
  output: string;
  /** Null for a stage that has not started. */
  milliseconds: number | null;
  /** Position and width in percent. */
  left: number;
  width: number;
}

const STATES: readonly StepState[] = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'];

/** Positions the stages in time; running ones end at `now`. Skipped stages are omitted. */
export function layOutStages(log: ProvisionLogDto, now: number): TimelineStage[] {
  const times = log.stages.flatMap(({ started_at, finished_at }) => [started_at, finished_at]);
  const known = times.filter((time) => time !== null).map((time) => Date.parse(time));
  const begin = log.started_at === null ? Math.min(...known, now) : Date.parse(log.started_at);
  const end = Math.max(log.finished_at === null ? now : Date.parse(log.finished_at), begin + 1);
  return log.stages
    .map((stage) => layOut(stage, { begin, end, now }))
    .filter(({ state }) => state !== 'skipped');
}

function layOut(
  { name, title, outcome, output, started_at, finished_at }: ProvisionStageDto,
  { begin, end, now }: { begin: number; end: number; now: number },
): TimelineStage {
  const state = STATES.find((known) => known === outcome) ?? 'pending';
  const stage = { name, title, state, output: output.trimEnd() };
  if (started_at === null) return { ...stage, milliseconds: null, left: 0, width: 0 };
  const from = Date.parse(started_at);
  const until = Math.max(from, finished_at === null ? now : Date.parse(finished_at));
  const whole = end - begin;
  const left = Math.min(100, Math.max(0, ((from - begin) / whole) * 100));
  return {
    ...stage,
    milliseconds: until - from,
    left,
    width: Math.min(100 - left, ((until - from) / whole) * 100),
  };
}
