import type { JobStage } from '../../../backend/src/modules/jobs/index.js';
import { JobBench, ScriptedHandler } from './job-bench.js';

/** A promise that a test resolves. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export const step = (name: string, weight = 1): { name: string; title: string; weight: number } => ({
  name,
  title: `Title of ${name}`,
  weight,
});

export function stage(
  name: string,
  run: JobStage['run'] = () => Promise.resolve(),
  undo?: JobStage['undo'],
): JobStage {
  return { steps: [step(name)], run, undo };
}

/** The benches of one test, which close together. */
export class JobBenches {
  private readonly made: JobBench[] = [];

  readonly bench = (
    stages: JobStage[] | ((input: unknown) => JobStage[]),
    environment?: Record<string, string>,
  ): JobBench => {
    const bench = new JobBench(
      new ScriptedHandler(typeof stages === 'function' ? stages : () => stages),
      environment,
    );
    this.made.push(bench);
    return bench;
  };

  readonly close = async (): Promise<void> => {
    for (const bench of this.made.splice(0)) await bench.close();
  };
}
