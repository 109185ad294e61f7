import type { Command } from 'commander';
import type { HealthDto } from '../../../modules/health/index.js';
import type { JobDto } from '../../../modules/jobs/index.js';
import type { LogStoreDto } from '../../../modules/log-sources/index.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import type { ApiClient } from '../client/api-client.js';
import { durationOf } from '../output/times.js';

interface Status {
  dashboard: { url: string; health: HealthDto } | null;
  log_board: { url: string; log_store: LogStoreDto } | null;
  /** Jobs that have not ended. */
  jobs: JobDto[];
}

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('Show whether Slipway runs, its health, and the jobs that run')
    .action(async (_options: object, command: Command) => {
      const cli = new Cli(command);
      const status = await readStatus(cli);
      cli.show(status, () => describe(cli, status));
    });
}

/** @throws CliError `unreachable` if neither application runs. */
async function readStatus(cli: Cli): Promise<Status> {
  const [dashboard, logBoard] = await Promise.all([
    unlessMissing(
      () => cli.dashboard,
      async (api) => ({
        url: api.server.url,
        health: await api.get<HealthDto>('/api/v1/health'),
        jobs: await api.get<JobDto[]>('/api/v1/jobs'),
      }),
    ),
    unlessMissing(
      () => cli.logBoard,
      async (api) => ({ url: api.server.url, log_store: await api.get<LogStoreDto>('/api/log-store') }),
    ),
  ]);
  if (dashboard instanceof CliError && logBoard instanceof CliError) throw dashboard;
  return {
    dashboard: dashboard instanceof CliError ? null : { url: dashboard.url, health: dashboard.health },
    log_board: logBoard instanceof CliError ? null : logBoard,
    jobs:
      dashboard instanceof CliError ? [] : dashboard.jobs.filter(({ finished_at }) => finished_at === null),
  };
}

/** The result, or the error that says that the application does not run or that its address is unknown. */
async function unlessMissing<TResult>(
  client: () => ApiClient,
  work: (api: ApiClient) => Promise<TResult>,
): Promise<TResult | CliError> {
  try {
    return await work(client());
  } catch (error) {
    if (
      error instanceof CliError &&
      [EXIT.unreachable, EXIT.usage].some((status) => status === error.status)
    ) {
      return error;
    }
    throw error;
  }
}

function describe(cli: Cli, { dashboard, log_board, jobs }: Status): string {
  const rows = [
    dashboard
      ? ['dashboard', dashboard.health.status, dashboard.url, aboutServer(dashboard.health)]
      : ['dashboard', 'not running', '', ''],
    log_board
      ? ['log board', log_board.log_store.state, log_board.url, log_board.log_store.reason ?? '']
      : ['log board', 'not running', '', ''],
    ...(dashboard?.health.checks ?? []).map(({ name, ok, reason }) => [
      name,
      ok ? 'ok' : 'failed',
      '',
      reason ?? '',
    ]),
  ];
  const running = jobs.map(({ id, kind, cluster, progress_percent, progress_step }) => [
    String(id),
    kind,
    cluster,
    `${Math.floor(progress_percent)} %`,
    progress_step ?? 'queued',
  ]);
  const table = cli.table(['part', 'state', 'address', 'details'], rows);
  return running.length === 0
    ? `${table}\nNo jobs are running.\n`
    : `${table}\n${cli.table(['job', 'kind', 'cluster', 'progress', 'step'], running)}`;
}

function aboutServer({ version, uptime_seconds }: HealthDto): string {
  return `version ${version}, up ${durationOf(uptime_seconds * 1000)}`;
}
