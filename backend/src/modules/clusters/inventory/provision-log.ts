import type { Job, JobLogLine } from '../../jobs/index.js';

/** One stage of a creation. */
interface ProvisionStage {
  name: string;
  title: string;
  started_at: string | null;
  finished_at: string | null;
  outcome: string;
  output: string;
}

/** The last creation of a cluster: the content of `provision_log.json`. */
export interface ProvisionLog {
  cluster: string;
  job_id: number;
  outcome: string;
  started_at: string | null;
  finished_at: string | null;
  stages: ProvisionStage[];
}

/** Parses `provision_log.json`. @returns undefined if the text is not a provision log. */
export function parseProvisionLog(text: string): ProvisionLog | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const log = value as Partial<ProvisionLog> | null;
  if (typeof log?.cluster !== 'string' || !Array.isArray(log.stages)) return undefined;
  return {
    cluster: log.cluster,
    job_id: Number.isSafeInteger(log.job_id) ? (log.job_id ?? 0) : 0,
    outcome: textOf(log.outcome) ?? 'unknown',
    started_at: textOf(log.started_at),
    finished_at: textOf(log.finished_at),
    stages: (log.stages as unknown[])
      .filter((stage) => typeof stage === 'object' && stage !== null)
      .map(readStage),
  };
}

function readStage(stage: Partial<ProvisionStage>): ProvisionStage {
  const name = textOf(stage.name) ?? '';
  return {
    name,
    title: textOf(stage.title) ?? name,
    started_at: textOf(stage.started_at),
    finished_at: textOf(stage.finished_at),
    outcome: textOf(stage.outcome) ?? 'unknown',
    output: textOf(stage.output) ?? '',
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Lists the steps of a job with the log lines of each. */
export function toProvisionLog(
  job: Readonly<Job>,
  outcome: string,
  log: readonly JobLogLine[],
  finishedAt: string | null,
): ProvisionLog {
  const output = new Map<string, string[]>();
  let title = '';
  for (const line of log) {
    if (line.kind === 'step') title = line.text;
    else if (line.kind !== 'done') output.set(title, [...(output.get(title) ?? []), line.text]);
  }
  return {
    cluster: job.cluster,
    job_id: job.id,
    outcome,
    started_at: job.started_at,
    finished_at: finishedAt,
    stages: job.steps.map(({ name, title: stageTitle, started_at, finished_at, state }) => ({
      name,
      title: stageTitle,
      started_at,
      finished_at,
      outcome: state,
      output: (output.get(stageTitle) ?? []).join('\n'),
    })),
  };
}
