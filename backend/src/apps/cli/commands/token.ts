import { Option, type Command } from 'commander';
import { wholeNumber } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { ageOf } from '../output/times.js';

const TOKENS = '/api/auth/tokens';
const MAX_DAYS = 366;
const DAY_MS = 24 * 3600_000;

interface Options {
  scope: 'read' | 'full';
  days: number;
}

export function addTokenCommand(program: Command): void {
  const command = program.command('token').description('Manage access tokens for programs');
  command
    .command('create')
    .description('Create an access token and print it. It is shown only once')
    .argument('<name>', 'What it is for')
    .addOption(
      new Option('--scope <scope>', 'read, or full to change things')
        .choices(['read', 'full'])
        .default('read'),
    )
    .option('--days <count>', 'Days until it expires', wholeNumber(1, MAX_DAYS), 90)
    .action(create);
  command.command('list').description('List access tokens').action(list);
  command
    .command('revoke')
    .description('Revoke an access token')
    .argument('<token>', 'Its name or id')
    .action(revoke);
}

async function create(name: string, { scope, days }: Options, command: Command): Promise<void> {
  const cli = new Cli(command);
  // The server allows a year to the millisecond, and clocks differ.
  const expires_at = new Date(Date.now() + days * DAY_MS - 60_000).toISOString();
  const created = await cli.dashboard.send(`POST ${TOKENS}`, {}, { name, scope, expires_at });
  cli.show(created, () => `${created.token}\n`);
}

async function list(_options: object, command: Command): Promise<void> {
  const cli = new Cli(command);
  cli.showList(
    await cli.dashboard.get(TOKENS),
    {
      id: ({ id }) => id,
      name: ({ name }) => name,
      scope: ({ scope }) => scope,
      by: ({ created_by }) => created_by,
      expires: ({ expires_at }) => expires_at.slice(0, 10),
      used: ({ last_used_at }) => (last_used_at === null ? 'never' : `${ageOf(last_used_at)} ago`),
    },
    'No access tokens.',
  );
}

async function revoke(token: string, _options: object, command: Command): Promise<void> {
  const cli = new Cli(command);
  const api = cli.dashboard;
  const tokens = await api.get(TOKENS);
  const found = tokens.find(({ id }) => id === token) ?? tokens.find(({ name }) => name === token);
  if (!found) {
    throw new CliError(
      `Access token ${token} does not exist. List them with: slipway token list`,
      EXIT.notFound,
    );
  }
  await api.send(`DELETE ${TOKENS}/{id}`, { id: found.id });
  cli.tell(`Revoked access token ${found.name}.`);
}
