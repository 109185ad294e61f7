import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.js';

/** Examples by the names of commands. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  status: ['slipway status --wait'],
  create: [
    'slipway create staging --workers 2',
    'slipway create staging --image v1.34.4',
    'slipway create staging --config kind.yaml --no-wait',
    'slipway create staging --wait-healthy',
  ],
  start: ['slipway start staging', 'slipway start staging --recreate --yes'],
  delete: ['slipway delete staging --yes'],
  clusters: [
    'slipway clusters contexts',
    'slipway clusters add gke_shop_europe-west3_prod --name prod --color red',
    'kubectl config view --raw --flatten --minify | slipway clusters add --kubeconfig - --name prod',
    'slipway clusters allow-changes prod',
  ],
  kubeconfig: [
    'slipway kubeconfig staging > staging.yaml',
    'slipway kubeconfig staging --merge --set-current',
  ],
  forward: [
    'slipway forward staging service/web 80 --namespace shop',
    'slipway forward staging service/ingress-nginx-controller 80 -n ingress-nginx --host shop.example.test',
  ],
  'load-image': ['slipway load-image staging shop/web:1.4.0'],
  logs: [
    'slipway logs',
    'slipway logs -f staging-control-plane/kubelet',
    'slipway logs staging/shop/Deployment/api --since 15m --level error,fatal',
  ],
  search: [
    "slipway search 'timeout' --since 15m --level error",
    "slipway search --regex 'status=5\\d\\d' --source postgres --source redis",
  ],
  problems: ['slipway problems', 'slipway problems staging'],
  jobs: ['slipway jobs 12 --wait'],
  journal: ['slipway journal --cluster staging --since 2h'],
  backup: ['slipway backup --encrypt'],
};

/** `help`, also of the commands of a command: `help token create`. */
export function addHelpCommand(program: Command): void {
  program
    .command('help')
    .argument('[command...]', 'Name of a command')
    .description('Print the help of a command')
    .action((names: string[]) => {
      let found = program;
      for (const name of names) {
        const inner = found.commands.find((one) => one.name() === name || one.aliases().includes(name));
        if (!inner) {
          throw new CliError(
            `Command ${names.join(' ')} does not exist. List the commands with: slipway help`,
            EXIT.usage,
          );
        }
        found = inner;
      }
      found.help();
    });
  for (const command of program.commands) command.helpCommand(false);
}

export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const examples = EXAMPLES[command.name()];
    if (examples) command.addHelpText('after', ['\nExamples:', ...examples].join('\n  '));
  }
}
