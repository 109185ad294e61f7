import type { Command } from 'commander';
import type { ClusterDto } from '../../../modules/clusters/index.js';
import { addWaitOptions, clusterName, runtimeOption } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import type { ApiClient } from '../client/api-client.js';
import { deleteCluster } from '../jobs/job-requests.js';
import { assertOfKind } from '../client/external.js';
import { finishJob } from '../jobs/wait-for-job.js';
import { ask, canAsk } from '../output/prompt.js';

interface Options {
  runtime?: string;
  wait: boolean;
}

interface Confirmed extends Options {
  yes?: true;
}

export function addLifecycleCommands(program: Command): void {
  clusterCommand(program, 'start', 'Start a cluster')
    .option('--recreate', 'Apply a changed config: recreates the cluster and deletes what runs in it')
    .option('-y, --yes', 'With --recreate, do not ask')
    .action(start);
  for (const [kind, meaning] of [
    ['stop', 'Stop a cluster'],
    ['pause', 'Pause a cluster: it keeps its memory and uses no CPU'],
    ['unpause', 'Resume a paused cluster'],
  ] as const) {
    clusterCommand(program, kind, meaning).action(
      async (name: string, options: Options, command: Command) => {
        await change(command, kind, name, options);
      },
    );
  }
  clusterCommand(program, 'delete', 'Delete a cluster with its containers, volumes and saved files')
    .option('-y, --yes', 'Do not ask')
    .action(remove);
}

function clusterCommand(program: Command, kind: string, meaning: string): Command {
  const command = program
    .command(kind)
    .description(meaning)
    .argument('<cluster>', 'Name of the cluster', clusterName)
    .addOption(runtimeOption());
  return addWaitOptions(command);
}

async function start(
  name: string,
  options: Confirmed & { recreate?: true },
  command: Command,
): Promise<void> {
  if (options.recreate) {
    await confirm(
      new Cli(command).dashboard,
      name,
      options,
      ({ runtime }) =>
        `Recreate cluster ${name} of ${runtime} if its config has changed? This deletes what runs in it.`,
      'Nothing was recreated.',
    );
  }
  await change(command, 'start', name, options, { keep_nodes: options.recreate === undefined });
}

type Lifecycle = 'start' | 'stop' | 'pause' | 'unpause';

async function change(
  command: Command,
  kind: Lifecycle,
  name: string,
  { runtime, wait }: Options,
  query: { keep_nodes?: boolean } = {},
): Promise<void> {
  const cli = new Cli(command);
  const reference = await cli.dashboard.send(`POST /api/v1/clusters/{name}/${kind}`, {
    name,
    runtime,
    ...query,
  });
  await finishJob(cli, reference, { wait });
}

async function remove(name: string, options: Confirmed, command: Command): Promise<void> {
  const cli = new Cli(command);
  const { runtime, wait } = options;
  const api = cli.dashboard;
  await confirm(
    api,
    name,
    options,
    (cluster) =>
      `Delete cluster ${name} of ${cluster.runtime}, with its containers, volumes and saved files?`,
    'Nothing was deleted.',
  );
  const reference = await deleteCluster(api, { name, runtime });
  await finishJob(cli, reference, { wait });
}

/** @throws CliError for an external cluster, or if the user does not agree or cannot be asked. */
async function confirm(
  api: ApiClient,
  name: string,
  { runtime, yes }: Confirmed,
  question: (cluster: ClusterDto) => string,
  declined: string,
): Promise<void> {
  const cluster = await api.get('/api/v1/clusters/{name}', { name, runtime });
  assertOfKind(cluster);
  if (yes) return;
  if (!canAsk()) throw new CliError('There is no terminal to confirm on. Pass --yes.', EXIT.usage);
  if (!(await ask(question(cluster)))) throw new CliError(declined, EXIT.canceled);
}
