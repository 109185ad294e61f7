import type { Command } from 'commander';
import type { ClusterDto } from '../../../modules/clusters/index.js';
import type { JobReferenceDto } from '../../../modules/jobs/index.js';
import { clusterName, runtimeOption, waitOptions } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { path, type Query } from '../client/api-client.js';
import { finishJob } from '../jobs/wait-for-job.js';
import { ask, canAsk } from '../output/prompt.js';

interface Options {
  runtime?: string;
  wait: boolean;
}

export function addLifecycleCommands(program: Command): void {
  clusterCommand(program, 'start', 'Start a cluster')
    .option('--recreate', 'Apply a changed config: recreates the cluster and deletes what runs in it')
    .action(async (name: string, options: Options & { recreate?: true }, command: Command) => {
      await change(command, 'start', name, options, { keep_nodes: options.recreate === undefined });
    });
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
  for (const option of waitOptions()) command.addOption(option);
  return command;
}

async function change(
  command: Command,
  kind: string,
  name: string,
  { runtime, wait }: Options,
  query: Query = {},
): Promise<void> {
  const cli = new Cli(command);
  const reference = await cli.dashboard.send<JobReferenceDto>(
    'POST',
    path`/api/v1/clusters/${name}/${kind}`,
    {
      query: { runtime, ...query },
    },
  );
  await finishJob(cli, reference, wait);
}

async function remove(name: string, options: Options & { yes?: true }, command: Command): Promise<void> {
  const cli = new Cli(command);
  const { runtime, wait, yes } = options;
  const api = cli.dashboard;
  if (yes === undefined) {
    if (!canAsk()) throw new CliError('There is no terminal to confirm on. Pass --yes.', EXIT.usage);
    const cluster = await api.get<ClusterDto>(path`/api/v1/clusters/${name}`, { runtime });
    const question = `Delete cluster ${cluster.name} of ${cluster.runtime}, with its containers, volumes and saved files?`;
    if (!(await ask(question))) throw new CliError('Nothing was deleted.', EXIT.canceled);
  }
  const reference = await api.send<JobReferenceDto>('DELETE', path`/api/v1/clusters/${name}`, {
    query: { runtime, wait: false },
  });
  await finishJob(cli, reference, wait);
}
