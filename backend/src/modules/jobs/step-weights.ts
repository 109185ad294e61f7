import type { StepPlan } from './job-handler.js';
import type { StoredStep } from './job.js';

/** Runs of a step that count: older ones say little, as after a change of the network. */
const LAST_RUNS = 5;
/** Seconds. So that the percentage still changes with the step. */
const MIN_WEIGHT = 0.1;

/** The steps of a new job. @param ended the steps of earlier jobs of the engine, the newest first */
export function pendingSteps(plans: readonly StepPlan[], ended: () => StoredStep[][]): StoredStep[] {
  const earlier = plans.some(({ learned }) => learned === true) ? ended().flat() : [];
  return plans.map(({ name, title, weight, learned = false }) => ({
    name,
    title,
    weight: (learned ? medianSeconds(earlier, name) : undefined) ?? weight,
    state: 'pending',
    started_at: null,
    finished_at: null,
    detail: null,
  }));
}

function medianSeconds(steps: readonly StoredStep[], name: string): number | undefined {
  const runs = steps
    .filter((step) => step.name === name && step.state === 'succeeded')
    .slice(0, LAST_RUNS)
    .map((step) => (Date.parse(step.finished_at ?? '') - Date.parse(step.started_at ?? '')) / 1000)
    .filter(Number.isFinite)
    .sort((one, other) => one - other);
  const median = runs[Math.floor(runs.length / 2)];
  return median === undefined ? undefined : Math.max(MIN_WEIGHT, median);
}
