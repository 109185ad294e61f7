import type { Command } from 'commander';
import { Cli } from '../cli.js';
import { ageOf } from '../output/times.js';

export function addListCommand(program: Command): void {
  program
    .command('list')
    .alias('ls')
    .description('List clusters')
    .action(async (_options: object, command: Command) => {
      const cli = new Cli(command);
      cli.showList(
        await cli.dashboard.get('/api/v1/clusters'),
        {
          name: ({ name }) => name,
          state: ({ state }) => state,
          engine: ({ runtime }) => runtime,
          nodes: ({ control_planes, workers, external }) => (external ? '-' : `${control_planes}+${workers}`),
          pods: ({ pods }) => (pods ? `${pods.ready}/${pods.total}` : '-'),
          restarts: ({ pods }) => String(pods?.restarts_last_hour ?? '-'),
          problems: ({ problems }) => String(problems ?? '-'),
          kubernetes: ({ kubernetes_version, node_image_tag }) => kubernetes_version ?? node_image_tag ?? '-',
          age: ({ created_at }) => ageOf(created_at),
          reason: ({ state_reason }) => state_reason ?? '',
        },
        'No clusters. Create one with: slipway create NAME. Add yours with: slipway clusters add CONTEXT',
      );
    });
}
