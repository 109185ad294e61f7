import type { Command } from 'commander';
import type { KubeconfigMergeDto } from '../../../modules/kubeconfig/index.js';
import { clusterName, runtimeOption } from '../arguments.js';
import { Cli } from '../cli.js';
import { path } from '../client/api-client.js';

interface Options {
  runtime?: string;
  merge?: true;
  setCurrent?: boolean;
}

export function addKubeconfigCommand(program: Command): void {
  program
    .command('kubeconfig')
    .description('Print the kubeconfig of a cluster, or add it to yours')
    .argument('<cluster>', 'Name of the cluster', clusterName)
    .option('--merge', 'Add it to the kubeconfig of the user who runs Slipway')
    .option('--set-current', 'With --merge, also make it the current context')
    .addOption(runtimeOption())
    .action(async (name: string, options: Options, command: Command) => {
      const cli = new Cli(command);
      if (options.merge || options.setCurrent) await merge(cli, name, options);
      else {
        cli.print(
          await cli.dashboard.text(path`/api/v1/clusters/${name}/kubeconfig`, {
            query: { runtime: options.runtime },
          }),
        );
      }
    });
}

async function merge(cli: Cli, name: string, { runtime, setCurrent = false }: Options): Promise<void> {
  const merged = await cli.dashboard.send<KubeconfigMergeDto>(
    'POST',
    path`/api/v1/clusters/${name}/kubeconfig/merge`,
    { query: { runtime }, body: { set_current: setCurrent } },
  );
  cli.show(merged, () => {
    const current = merged.current
      ? ', which is the current context'
      : `. Use it with: kubectl --context ${merged.context}`;
    return `Added ${merged.context} to ${merged.file}${current}\n`;
  });
}
