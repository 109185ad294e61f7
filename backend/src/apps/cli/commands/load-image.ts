import type { Command } from 'commander';
import { IMAGE_REFERENCE } from '../../../core/security/grammar.js';
import { addWaitOptions, clusterName, matching, runtimeOption } from '../arguments.js';
import { Cli } from '../cli.js';
import { finishJob } from '../jobs/wait-for-job.js';

const image = matching(IMAGE_REFERENCE, 'an image with its tag, such as shop/web:1.4.0');

export function addLoadImageCommand(program: Command): void {
  const command = program
    .command('load-image')
    .description('Load images of the container engine into the nodes of a cluster')
    .argument('<cluster>', 'Name of the cluster', clusterName)
    .argument('<image...>', 'Images with their tags', (text: string, previous: string[] | undefined) => [
      ...(previous ?? []),
      image(text),
    ])
    .addOption(runtimeOption());
  addWaitOptions(command).action(
    async (
      name: string,
      images: string[],
      { runtime, wait }: { runtime?: string; wait: boolean },
      self: Command,
    ) => {
      const cli = new Cli(self);
      const reference = await cli.dashboard.send(
        'POST /api/v1/clusters/{name}/images/load',
        { name, runtime },
        { images },
      );
      await finishJob(cli, reference, { wait });
    },
  );
}
