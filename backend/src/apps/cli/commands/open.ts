import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { pathToFileURL } from 'node:url';
import { writeFileAtomically } from '../../../core/storage/atomic-file.js';
import { CliError } from '../cli-error.js';
import { Cli } from '../cli.js';
import { ApiClient } from '../client/api-client.js';

/** Some desktops run the browser in the foreground. It must not be ended. */
const BROWSER_MS = 24 * 3600_000;
/** Time in which the browser reads the file with the link. */
const FILE_MS = 60_000;
/** The environment variables with which a program finds the desktop and the browser of the user. */
const DESKTOP = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_TYPE',
  'BROWSER',
  'PATH',
];

export function addOpenCommand(program: Command): void {
  program
    .command('open')
    .description('Open the dashboard in the browser, signed in')
    .option('--print', 'Print a sign-in link instead. It works once, within 10 minutes')
    .action(async ({ print }: { print?: true }, command: Command) => {
      const cli = new Cli(command);
      const api = cli.dashboard;
      if (print || !process.stdout.isTTY) {
        const link = await signInLink(api);
        cli.show({ url: link }, () => `${link}\n`);
      } else await openBrowser(cli, await addressFor(cli, api));
    });
}

/** @throws CliError if the server returns something else */
export async function signInLink(api: ApiClient): Promise<string> {
  const { token } = await api.send('POST /api/auth/links', {});
  if (!/^[\w-]{20,100}$/.test(token)) throw new CliError('The response of the server is not a sign-in link.');
  return `${pageOf(api)}/login#link=${token}`;
}

/** A page that leads to an address. The address can contain text of a server that is not trusted. */
export function redirectPage(address: string): string {
  const escaped = address.replace(/["&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<!doctype html><title>Slipway</title><meta http-equiv="refresh" content="0;url=${escaped}">\n`;
}

function pageOf({ server }: ApiClient): string {
  return server.page ?? server.url;
}

/**
 * An address without a secret, since other users can read the arguments of the browser: the dashboard itself if it needs
 * no sign-in here, otherwise a private file that leads to the link.
 */
async function addressFor(cli: Cli, api: ApiClient): Promise<string> {
  if (await needsNoSignIn(api)) return `${pageOf(api)}/`;
  const folder = cli.configuration.values.dataDirectory;
  await removeLeftovers(folder);
  const file = join(folder, `open-${randomBytes(8).toString('hex')}.html`);
  const link = await signInLink(api);
  await writeFileAtomically(file, redirectPage(link));
  const { removeFileLater } = await import('../../../drivers/process/index.js');
  removeFileLater(file, FILE_MS);
  return pathToFileURL(file).href;
}

/** Pages of calls whose remover was ended. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => /^open-[0-9a-f]{16}\.html$/.test(each))) {
    const path = join(folder, name);
    // A remover may be faster.
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > FILE_MS) await rm(path, { force: true });
  }
}

/** Clients that would have to sign in get no checks. */
async function needsNoSignIn(api: ApiClient): Promise<boolean> {
  const anyone = new ApiClient({ ...api.server, token: undefined });
  return (await anyone.get('/api/v1/health')).checks !== undefined;
}

async function openBrowser(cli: Cli, address: string): Promise<void> {
  const { LocalProcessRunner } = await import('../../../drivers/process/index.js');
  const { configuration } = cli;
  const runner = new LocalProcessRunner(configuration);
  const program = configuration.platform === 'darwin' ? 'open' : 'xdg-open';
  const help = 'Open the link of this command yourself: slipway open --print';
  if ((await runner.locate(program)) === undefined) {
    throw new CliError(`Could not open a browser: ${program} is not installed. ${help}`);
  }
  const desktop = DESKTOP.map((name) => [name, configuration.environment[name]]);
  cli.tell(`Opening ${pageOf(cli.dashboard)}. ${help}`);
  await runner.run({
    program,
    args: [address],
    environment: Object.fromEntries(desktop.filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
    timeoutMs: BROWSER_MS,
  });
}
