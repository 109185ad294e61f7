import type { ProvisionLogDto, ProvisionStageDto, StepState } from '../../shared/api/api-types';

/** One stage of a creation, with its place on a bar that stands for the whole of it. */
export interface TimelineStage {
  name: string;
  title: string;
  state: StepState;
  output: string;
  /** Null for a stage that never began. */
  milliseconds: number | null;
  /** Per cent of the whole, from its left end. */
  left: number;
  width: number;
}

const STATES: readonly StepState[] = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'];

/** Lays the stages out in time; `now` ends what is still under way. Left-out stages are not shown. */
export function layOutStages(log: ProvisionLogDto, now: number): TimelineStage[] {
  const times = log.stages.flatMap(({ started_at, finished_at }) => [started_at, finished_at]);
  const known = times.filter((time) => time !== null).map((time) => Date.parse(time));
  const begin = log.started_at === null ? Math.min(...known, now) : Date.parse(log.started_at);
  const end = Math.max(log.finished_at === null ? now : Date.parse(log.finished_at), begin + 1);
  return log.stages
    .map((stage) => layOut(stage, { begin, end, now }))
    .filter(({ state }) => state !== 'skipped');
}

/** How long the whole took, or takes by now; null for a creation that never began. */
export function provisionMilliseconds(
  { started_at, finished_at }: ProvisionLogDto,
  now: number,
): number | null {
  if (started_at === null) return null;
  return Math.max(0, (finished_at === null ? now : Date.parse(finished_at)) - Date.parse(started_at));
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
