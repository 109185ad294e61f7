import { Option, type Command } from 'commander';
import { NAMESPACE_NAME } from '../../../core/security/grammar.js';
import type { ForwardDto, StartForwardDto } from '../../../modules/forwards/index.js';
import { clusterName, matching, runtimeOption, wholeNumber } from '../arguments.js';
import { Cli } from '../cli.js';
import { CliError, EXIT } from '../cli-error.js';

const TARGET = /^[a-z]{3,20}\/[a-z0-9.-]{1,253}$/;

interface Options {
  namespace: string;
  localPort?: number;
  protocol?: StartForwardDto['protocol'];
  host?: string[];
  runtime?: string;
}

export function addForwardCommand(program: Command): void {
  program
    .command('forward')
    .description('Start a port-forward, which lasts until it is stopped; without a target, list them')
    .argument('<cluster>', 'Name of the cluster', clusterName)
    .argument(
      '[target]',
      'Kind and name, such as service/web',
      matching(TARGET, 'a kind and a name, such as service/web'),
    )
    .argument('[port]', 'Number or name of a port of it')
    .addOption(
      new Option('-n, --namespace <name>', 'Namespace of the target')
        .default('default')
        .argParser(matching(NAMESPACE_NAME, 'the name of a namespace, such as shop')),
    )
    .option('--local-port <number>', 'Port of this machine; by default any free one', wholeNumber(1, 65_535))
    .addOption(
      new Option('--protocol <protocol>', 'What the program speaks').choices(['tcp', 'http', 'https']),
    )
    .option('--host <name...>', 'More hosts of HTTP requests, such as that of an Ingress')
    .addOption(runtimeOption())
    .action(forward);
}

async function forward(
  name: string,
  target: string | undefined,
  port: string | undefined,
  { namespace, localPort, protocol, host, runtime }: Options,
  command: Command,
): Promise<void> {
  const cli = new Cli(command);
  if (target === undefined) {
    show(cli, await cli.dashboard.get('/api/v1/clusters/{name}/forwards', { name, runtime }));
    return;
  }
  if (port === undefined) throw new CliError('The port is required.', EXIT.usage);
  const [kind = '', object = ''] = target.split('/');
  // The server knows the kinds.
  const plural = (kind.endsWith('s') ? kind : `${kind}s`) as ForwardDto['plural'];
  const started = await cli.dashboard.send(
    'POST /api/v1/clusters/{name}/forwards',
    { name, runtime },
    { plural, namespace, object, port, local_port: localPort, protocol, hosts: host },
  );
  if (cli.isJson) cli.show(started, () => '');
  else show(cli, [started]);
}

function show(cli: Cli, forwards: readonly ForwardDto[]): void {
  cli.showList(
    forwards,
    {
      address: ({ local_address }) => local_address,
      target: ({ plural, namespace, object, port }) => `${plural}/${object}:${port} in ${namespace}`,
      state: ({ state, state_reason }) => (state_reason === null ? state : `${state}: ${state_reason}`),
      hosts: ({ hosts }) => hosts.join(' '),
      page: ({ url }) => url ?? '',
    },
    'No port-forwards. Start one with: slipway forward CLUSTER KIND/NAME PORT',
  );
}
