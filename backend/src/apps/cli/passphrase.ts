import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readWholeFile } from '../../core/storage/whole-file.js';
import { CliError, EXIT } from './cli-error.js';

const MIN_LENGTH = 8;
const MAX_LENGTH = 1000;

/**
 * Reads a passphrase for a new file: from a file, standard input (`-`) or, twice, from the terminal.
 * @throws CliError if it is too short.
 */
export async function newPassphrase(file: string | undefined): Promise<string> {
  const passphrase = await readPassphrase(file);
  if (passphrase.length < MIN_LENGTH) {
    throw new CliError(`The passphrase must have at least ${MIN_LENGTH} characters.`, EXIT.usage);
  }
  if (file === undefined && (await prompt('Repeat the passphrase: ')) !== passphrase) {
    throw new CliError('The passphrases differ. Try again.', EXIT.usage);
  }
  return passphrase;
}

/** Reads the passphrase of an existing file. Never from an argument, which other users can read. @throws CliError */
export async function readPassphrase(file: string | undefined): Promise<string> {
  if (file === undefined) return await prompt('Passphrase: ');
  const content = file === '-' ? await text(process.stdin) : await readWholeFile(file, 4 * MAX_LENGTH);
  if (content === undefined) throw new CliError(`The passphrase file ${file} does not exist.`, EXIT.usage);
  const [passphrase = ''] = content.split(/\r?\n/);
  if (passphrase === '' || passphrase.length > MAX_LENGTH) {
    throw new CliError(
      `The first line of ${file === '-' ? 'standard input' : file} must be a passphrase of up to ${MAX_LENGTH} characters.`,
      EXIT.usage,
    );
  }
  return passphrase;
}

/** Asks on the terminal and does not show the answer. */
async function prompt(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CliError(
      'A passphrase is required, and there is no terminal. Use --passphrase-file FILE, or - for standard input.',
      EXIT.usage,
    );
  }
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new CliError('Canceled.', EXIT.canceled)));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
