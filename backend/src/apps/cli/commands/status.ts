import { setTimeout } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { HealthDto } from '../../../modules/health/index.js';
import type { JobDto } from '../../../modules/jobs/index.js';
import type { ProblemDto } from '../../../modules/problems/index.js';
import type { LogStoreDto } from '../../../modules/log-sources/index.js';
import { wholeNumber } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { ApiError, type ApiClient } from '../client/api-client.js';
import { runningServer } from '../client/server.js';
import { tableOfProblems } from './problems.js';
import { durationOf } from '../output/times.js';

interface Status {
  dashboard: { url: string; health: HealthDto } | null;
  log_board: { url: string; log_store: LogStoreDto } | null;
  /** Jobs that have not ended. */
  jobs: JobDto[];
  /** Problems of all clusters. */
  problems: ProblemDto[];
}

/** The status of one application. */
interface Part<TValue> {
  /** Null if it does not respond. */
  value: TValue | null;
  state: 'running' | 'not running' | 'starting' | 'not responding' | 'address unknown';
  error?: CliError;
}

interface Reading {
  status: Status;
  states: Record<'dashboard' | 'logBoard', string>;
  /** An application runs, but does not respond. */
  failure: CliError | undefined;
}

const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 3600;
const POLL_MS = 250;

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('Show whether Slipway runs, its health, the jobs that run, and what does not work')
    .addOption(
      new Option('--wait [seconds]', `Wait until Slipway is healthy, by default ${DEFAULT_WAIT_SECONDS} s`)
        .preset(String(DEFAULT_WAIT_SECONDS))
        .argParser(wholeNumber(1, MAX_WAIT_SECONDS)),
    )
    .action(async ({ wait }: { wait?: number }, command: Command) => {
      const cli = new Cli(command);
      const reading = wait === undefined ? await readStatus(cli) : await readWhenHealthy(cli, wait);
      cli.show(reading.status, () => describe(cli, reading));
      if (reading.failure) throw reading.failure;
      if (wait !== undefined && !isHealthy(reading)) {
        throw new CliError(`Slipway is not healthy after ${wait} s.`);
      }
    });
}

/** The first healthy status, or the one at the end of the time. @throws CliError like readStatus */
async function readWhenHealthy(cli: Cli, seconds: number): Promise<Reading> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const isLast = Date.now() >= end;
    try {
      const reading = await readStatus(cli);
      if (isLast || isHealthy(reading)) return reading;
    } catch (error) {
      if (isLast || !isStarting(error)) throw error;
    }
    await setTimeout(POLL_MS);
  }
}

function isStarting(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'starting';
  return error instanceof CliError && error.status === EXIT.unreachable;
}

function isHealthy({ status: { dashboard, log_board }, states, failure }: Reading): boolean {
  if (failure || states.logBoard === 'starting') return false;
  const found = [dashboard?.health.status, log_board?.log_store.state];
  return found.every((state) => state === undefined || state === 'ok');
}

/** @throws CliError `unreachable` if no application responds. */
async function readStatus(cli: Cli): Promise<Reading> {
  const [dashboard, logBoard] = await Promise.all([
    readPart(
      () => cli.dashboard,
      async (api) => ({
        url: api.server.url,
        health: await api.get('/api/v1/health'),
        jobs: await api.get('/api/v1/jobs'),
        problems: await api.get('/api/v1/problems'),
      }),
    ),
    readPart(
      () => cli.logBoard,
      async (api) => ({ url: api.server.url, log_store: await api.get('/api/log-store') }),
    ),
  ]);
  const { dataDirectory } = cli.configuration.values;
  // Only a server of this machine can be known not to run.
  const isLocal = logBoard.state === 'not running';
  if (isLocal && runningServer(dataDirectory, 'dashboard')?.applications?.includes('log-board')) {
    logBoard.state = 'starting';
  }
  const failure = [dashboard, logBoard].find(({ state }) => state === 'not responding')?.error;
  const error = failure ?? dashboard.error;
  if (error && !dashboard.value && !logBoard.value) throw error;
  return {
    status: {
      dashboard: dashboard.value && { url: dashboard.value.url, health: dashboard.value.health },
      log_board: logBoard.value,
      jobs: dashboard.value?.jobs.filter(({ finished_at }) => finished_at === null) ?? [],
      problems: dashboard.value?.problems ?? [],
    },
    states: { dashboard: dashboard.state, logBoard: logBoard.state },
    failure,
  };
}

async function readPart<TValue>(
  client: () => ApiClient,
  work: (api: ApiClient) => Promise<TValue>,
): Promise<Part<TValue>> {
  let api: ApiClient | undefined;
  try {
    api = client();
    return { value: await work(api), state: 'running' };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.status === EXIT.usage) return { value: null, state: 'address unknown', error };
    if (error.status !== EXIT.unreachable) throw error;
    const isStopped = api === undefined || error === api.server.whenRefused;
    return { value: null, state: isStopped ? 'not running' : 'not responding', error };
  }
}

function describe(cli: Cli, { status: { dashboard, log_board, jobs, problems }, states }: Reading): string {
  const rows = [
    dashboard
      ? ['dashboard', dashboard.health.status, dashboard.url, aboutServer(dashboard.health)]
      : ['dashboard', states.dashboard, '', ''],
    log_board
      ? ['log board', log_board.log_store.state, log_board.url, log_board.log_store.reason ?? '']
      : ['log board', states.logBoard, '', ''],
    ...(dashboard?.health.checks ?? []).map(({ name, ok, reason }) => [
      name,
      ok ? 'ok' : 'failed',
      '',
      reason ?? '',
    ]),
  ];
  const running = jobs.map(({ id, title, progress_percent, progress_step }) => [
    String(id),
    title,
    `${Math.floor(progress_percent)} %`,
    progress_step ?? 'queued',
  ]);
  const table = cli.table(['part', 'state', 'address', 'details'], rows);
  return [
    table,
    running.length === 0
      ? 'No jobs are running.\n'
      : cli.table(['job', 'title', 'progress', 'step'], running),
    ...(problems.length === 0 ? [] : [tableOfProblems(cli, problems)]),
  ].join('\n');
}

function aboutServer({ version, uptime_seconds = 0 }: HealthDto): string {
  return `version ${version}, up ${durationOf(uptime_seconds * 1000)}`;
}
