import type { StepPlan } from './job-handler.js';
import type { StoredStep } from './job.js';

/** Runs of a step that count: older ones say little, as after a change of the network. */
const LAST_RUNS = 5;
/** Seconds. So that the percentage still changes with the step. */
const MIN_WEIGHT = 0.1;
/** A run teaches only about steps of a similar size: the check of a present image says nothing about a pull. */
const MAX_RATIO = 4;
/** Share of the remaining work with unknown duration, above which no seconds are predicted. */
const MAX_UNKNOWN = 0.2;
/** Only a successful job reaches 100. */
const MAX_PERCENT = 99;

/** In seconds of a monotonic clock, which stops while the machine sleeps. */
export interface Elapsed {
  job: number;
  /** Of the running step. */
  step: number;
}

interface Prediction {
  /** 0 to 99, with one decimal. */
  percent: number;
  /** With one decimal; null without earlier runs on this host. */
  secondsLeft: number | null;
}

/** The steps of a new job. @param ended the steps of earlier jobs of the engine, the newest first */
export function pendingSteps(plans: readonly StepPlan[], ended: () => StoredStep[][]): StoredStep[] {
  const earlier = plans.every(({ varies }) => varies === true) ? [] : ended().flat();
  return plans.map(({ name, title, weight, varies = false }) => {
    const seconds = varies ? undefined : expectedSeconds(earlier, { name, weight });
    return {
      name,
      title,
      weight: seconds ?? weight,
      planned: weight,
      learned: seconds !== undefined,
      state: 'pending',
      started_at: null,
      finished_at: null,
      detail: null,
    };
  });
}

/**
 * How far a job is. By time if its steps ran before on this host, otherwise by their typical durations. As long as the
 * steps do not change, the percentage does not fall and the seconds do not rise.
 * @param fraction reported progress of the running step, 0 to 1
 */
export function predict(steps: readonly StoredStep[], fraction: number, elapsed: Elapsed): Prediction {
  let done = 0;
  let total = 0;
  let left = 0;
  let open = 0;
  let unknown = 0;
  for (const step of steps) {
    const { weight, state, learned = false } = step;
    total += weight;
    if (state !== 'pending' && state !== 'running') {
      done += weight;
      continue;
    }
    const [share, spent] = state === 'running' ? [fraction, elapsed.step] : [0, 0];
    done += weight * share;
    left += learned ? Math.max(0, weight - spent) : weight * (1 - share);
    open += weight;
    if (!learned) unknown += weight;
  }
  if (open === 0 || unknown / open > MAX_UNKNOWN) {
    return { percent: percentOf(done, total), secondsLeft: null };
  }
  return { percent: percentOf(elapsed.job, elapsed.job + left), secondsLeft: Math.round(left * 10) / 10 };
}

/**
 * The median of the last runs of the same size. Runs of another size are scaled, as for a cluster with more workers.
 */
function expectedSeconds(
  earlier: readonly StoredStep[],
  { name, weight }: Pick<StepPlan, 'name' | 'weight'>,
): number | undefined {
  const runs = earlier.flatMap(({ planned, ...step }) => {
    if (step.name !== name || step.state !== 'succeeded' || planned === undefined) return [];
    if (Math.max(planned / weight, weight / planned) > MAX_RATIO) return [];
    const seconds = step.seconds ?? secondsByDates(step);
    return Number.isFinite(seconds) ? [{ planned, seconds: (seconds * weight) / planned }] : [];
  });
  const same = runs.filter(({ planned }) => planned === weight);
  const last = (same.length > 0 ? same : runs)
    .slice(0, LAST_RUNS)
    .map(({ seconds }) => seconds)
    .sort((one, other) => one - other);
  const median = last[Math.floor(last.length / 2)];
  return median === undefined ? undefined : Math.max(MIN_WEIGHT, median);
}

/** NaN without both. */
function secondsByDates({ started_at, finished_at }: Omit<StoredStep, 'planned'>): number {
  return (Date.parse(finished_at ?? '') - Date.parse(started_at ?? '')) / 1000;
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(MAX_PERCENT, Math.floor((part / whole) * 1000) / 10);
}
