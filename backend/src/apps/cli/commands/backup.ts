import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { newPassphrase, readPassphrase } from '../passphrase.js';

interface Options {
  passphraseFile?: string;
  force?: boolean;
  keepAccess?: boolean;
}

const PASSPHRASE_FILE = '--passphrase-file <file>';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('[file]', 'New file (default: slipway-backup-TIME.tar.gz in this folder)')
    .description('Save the data folder of this machine to a file. Slipway may run')
    .option('-e, --encrypt', 'Encrypt the file with a passphrase, in the age format')
    .option(PASSPHRASE_FILE, 'Encrypt with the first line of this file; - reads standard input')
    .option('-f, --force', 'Replace an existing file')
    .action(backUp);
  program
    .command('restore')
    .argument('<file>', 'File of slipway backup')
    .description('Restore the data folder of this machine from a file. Stop Slipway first')
    .option(PASSPHRASE_FILE, 'Passphrase of an encrypted file; - reads standard input')
    .option('-f, --force', 'Move existing data aside')
    .option('--keep-access', 'Keep sessions and access tokens of the backup, also those revoked since')
    .action(restore);
}

async function backUp(
  given: string | undefined,
  options: Options & { encrypt?: boolean },
  command: Command,
): Promise<void> {
  const cli = new Cli(command);
  const encrypts = options.encrypt === true || options.passphraseFile !== undefined;
  const passphrase = encrypts ? await newPassphrase(options.passphraseFile) : undefined;
  const { createBackup } = await import('../../backup/index.js');
  const file = resolve(given ?? defaultName(encrypts));
  const { dataDirectory } = cli.configuration.values;
  const { files, version } = await cancelable((signal) =>
    createBackup({ dataDirectory, file, passphrase, replaces: options.force === true, signal }),
  );
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  cli.show(
    { file, data_directory: dataDirectory, version, encrypted: encrypts, files: files.length, bytes },
    () => `Saved ${files.length} files of ${dataDirectory} to ${file}.\n`,
  );
  if (!encrypts) {
    cli.tell('The file contains keys and kubeconfigs in plain text. Keep it secret, or use --encrypt.');
  }
}

async function restore(file: string, options: Options, command: Command): Promise<void> {
  const cli = new Cli(command);
  const { dataDirectory, port } = cli.configuration.values;
  const keepsAccess = options.keepAccess === true;
  const { restoreBackup } = await import('../../backup/index.js');
  const { manifest, movedTo, copiedEntries } = await cancelable((signal) =>
    restoreBackup({
      file: resolve(file),
      dataDirectory,
      passphrase: () => readPassphrase(options.passphraseFile),
      mustBeEncrypted: options.passphraseFile !== undefined,
      replaces: options.force === true,
      keepsAccess,
      signal,
    }),
  );
  const { keepLinkToken, LINK_MINUTES } = await import('../../../modules/auth/index.js');
  const { addressOf } = await import('../../page-address.js');
  const page = addressOf(cli.configuration, 'dashboard', port);
  const link = `${page}/login#link=${await keepLinkToken(dataDirectory)}`;
  cli.show(
    {
      data_directory: dataDirectory,
      moved_to: movedTo,
      version: manifest.version,
      created_at: manifest.created_at,
      files: manifest.files.length,
      access_kept: keepsAccess,
      copied_journal_entries: copiedEntries,
      sign_in_link: link,
    },
    () =>
      `Restored ${manifest.files.length} files of ${manifest.created_at} to ${dataDirectory}.\n` +
      (movedTo === null ? '' : `The earlier data is in ${movedTo}. Delete it when you no longer need it.\n`) +
      (keepsAccess ? '' : 'All sessions, access tokens, known browsers and sign-in links have ended.\n') +
      `Start Slipway. Then sign in with this link, which works once within ${LINK_MINUTES} minutes after the start:\n\n  ${link}\n\n`,
  );
}

/** With the time, so that no earlier backup has the name. */
function defaultName(isEncrypted: boolean): string {
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[:-]/g, '');
  return `slipway-backup-${time}.tar.gz${isEncrypted ? '.age' : ''}`;
}

/** Runs `work` until it ends or Ctrl+C cancels it, so that it removes its temporary files. */
async function cancelable<TResult>(work: (signal: AbortSignal) => Promise<TResult>): Promise<TResult> {
  const stop = new AbortController();
  const cancel = (): void => stop.abort(new CliError('Canceled.', EXIT.canceled));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, cancel);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, cancel);
  }
}
