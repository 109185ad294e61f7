import { jsonValue } from '../../../core/parsing/index.js';
import { recordOf } from '../../../core/values/index.js';
import type { Job, JobLogLine } from '../../jobs/index.js';
import type { ProvisionLogDto, ProvisionStageDto } from './cluster.dto.js';

export function parseProvisionLog(text: string): ProvisionLogDto | undefined {
  const log: Partial<ProvisionLogDto> = recordOf(jsonValue(text));
  const valid =
    typeof log.cluster === 'string' &&
    typeof log.job_id === 'number' &&
    typeof log.outcome === 'string' &&
    Array.isArray(log.stages) &&
    log.stages.every(isStage);
  return valid ? (log as ProvisionLogDto) : undefined;
}

function isStage(stage: Partial<ProvisionStageDto> | null): boolean {
  return [stage?.name, stage?.title, stage?.outcome, stage?.output].every((text) => typeof text === 'string');
}

export function toProvisionLog(
  job: Readonly<Job>,
  outcome: string,
  log: readonly JobLogLine[],
  finishedAt: string | null,
): ProvisionLogDto {
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
