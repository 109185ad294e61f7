import { resolve } from 'node:path';
import type { Command } from 'commander';
import { userKubeconfigFiles } from '../../../core/config/index.js';
import { clusterName, runtimeOption } from '../arguments.js';
import { Cli } from '../cli.js';

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
          await cli.dashboard.text('/api/v1/clusters/{name}/kubeconfig', { name, runtime: options.runtime }),
        );
      }
    });
}

async function merge(cli: Cli, name: string, { runtime, setCurrent = false }: Options): Promise<void> {
  const merged = await cli.dashboard.send(
    'POST /api/v1/clusters/{name}/kubeconfig/merge',
    { name, runtime },
    { set_current: setCurrent },
  );
  const { context, file, current } = merged;
  // The server may have another KUBECONFIG than this shell.
  const isRead = userKubeconfigFiles(cli.configuration).some((one) => resolve(one) === resolve(file));
  cli.show(merged, () => {
    const flag = isRead ? '' : ` --kubeconfig ${file}`;
    const use = current
      ? `Context ${context} is its current context.`
      : `Use it with: kubectl${flag} --context ${context}`;
    return `Added ${context} to ${file}. ${use}\n`;
  });
  if (!isRead) {
    cli.tell(`Warning: kubectl in this shell does not read ${file}. Slipway runs with another KUBECONFIG.`);
  }
}
