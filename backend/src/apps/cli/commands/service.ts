import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { runningServer } from '../client/server.js';
import { ask, canAsk } from '../output/prompt.js';
import type { UserService } from '../service/user-service.js';

const LOGS = 'journalctl --user --unit=slipway --follow';
const START_MS = 30_000;
const POLL_MS = 500;
const LINGER = 'loginctl enable-linger';

export function addServiceCommand(program: Command): void {
  const service = program
    .command('service')
    .description('Run Slipway as a service of your user, without a terminal');
  service
    .command('install')
    .description(
      'Write a systemd unit, start it now and at each login (macOS: write a launchd agent, untested)',
    )
    .option('--print', 'Print the service file and change nothing')
    .option('--linger', 'Also run while you are not logged in')
    .option('--no-linger', 'Run only while you are logged in')
    .action(async ({ print, linger }: { print?: true; linger?: boolean }, command: Command) => {
      const cli = new Cli(command);
      const unit = await serviceOf(cli);
      if (print) process.stdout.write(unit.text());
      else await install(cli, unit, linger);
    });
  service
    .command('uninstall')
    .description('Stop the service and remove its file. Data and clusters stay')
    .action(async (_options: object, command: Command) => {
      const cli = new Cli(command);
      const unit = await serviceOf(cli);
      const wasInstalled = await unit.remove();
      cli.tell(
        wasInstalled ? `Removed ${unit.file}. Data and clusters stay.` : 'The service is not installed.',
      );
    });
  service
    .command('status')
    .description('Show the state of the service')
    .action(async (_options: object, command: Command) => {
      const cli = new Cli(command);
      const status = await (await serviceOf(cli)).status();
      if (status.file === null) process.exitCode = EXIT.notFound;
      cli.show(status, () => {
        if (status.file === null) {
          return 'The service is not installed. Install it with: slipway service install\n';
        }
        return cli.table(
          ['property', 'value'],
          Object.entries(status).map(([name, value]) => [name, value === null ? '-' : String(value)]),
        );
      });
    });
}

/** Loaded on demand: it brings what runs programs. */
async function serviceOf({ configuration }: Cli): Promise<UserService> {
  const { UserService } = await import('../service/user-service.js');
  return new UserService(configuration);
}

async function install(cli: Cli, unit: UserService, linger: boolean | undefined): Promise<void> {
  const { dataDirectory } = cli.configuration.values;
  const running = runningServer(dataDirectory, 'dashboard')?.pid;
  if (running !== undefined && running !== (await unit.status()).pid) {
    throw new CliError(`Slipway already runs (process ${running}). Stop it, then try again.`);
  }
  await unit.write();
  cli.tell(`Wrote ${unit.file}.`);
  if (unit.isMac) {
    cli.tell(`This file is untested. To start it: launchctl bootstrap gui/$(id -u) ${unit.file}`);
    return;
  }
  await unit.enable();
  await untilHealthy(dataDirectory, unit);
  cli.tell(`Slipway runs, and starts when you log in. Open it with: slipway open. Its logs: ${LOGS}`);
  const question = 'Also run while you are not logged in, so that logs and alerts have no gaps?';
  const wanted = linger ?? ((await unit.status()).linger !== true && canAsk() && (await ask(question)));
  if (wanted) await unit.enableLinger();
  else if (linger === undefined) cli.tell(`To run it while you are not logged in, too: ${LINGER}`);
}

/** @throws CliError if it does not become healthy: systemd only knows that a process was started. */
async function untilHealthy(dataDirectory: string, unit: UserService): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const { pid, state } = await unit.status();
    if (state === 'failed') break;
    if (pid !== null && runningServer(dataDirectory, 'dashboard')?.pid === pid) return;
    await delay(POLL_MS);
  }
  throw new CliError(`Slipway did not start as a service. Its logs say why: ${LOGS}`);
}
