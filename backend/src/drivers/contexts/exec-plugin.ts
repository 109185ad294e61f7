import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { asSentence, DomainError } from '../../core/errors/index.js';
import { plainLine } from '../../core/logging/index.js';
import { isRecord, shortened } from '../../core/values/index.js';

const GROUP = 'client.authentication.k8s.io';
const VERSIONS = [`${GROUP}/v1`, `${GROUP}/v1beta1`];
const MODES = ['Never', 'IfAvailable', 'Always'] as const;
const MAX_ITEMS = 100;
/** In characters, of each text. */
const MAX_TEXT = 16_384;
const MAX_HINT = 2000;

/** `users[].user.exec` of a kubeconfig: the program that prints the credentials. */
export interface ExecPlugin {
  apiVersion: string;
  /** A path, or a name that is searched in PATH. */
  command: string;
  args: readonly string[];
  /**
   * Added to the environment of the program. As in kubectl, this may be any variable, also `LD_PRELOAD` or `PATH`, so it is
   * part of what the user agrees to.
   */
  env: readonly { name: string; value: string }[];
  /** How to install the program, without control characters, as one line. */
  installHint: string | null;
  interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Whether the program gets the address and the certificate authority of the cluster. */
  provideClusterInfo: boolean;
}

/**
 * Reads `exec` of a kubeconfig as client-go does. Unknown fields are ignored.
 * @throws Error that names the invalid field, without its value
 */
export function parseExecPlugin(value: unknown): ExecPlugin {
  if (!isRecord(value)) throw new Error('exec must be an object');
  const apiVersion = textIn(value, 'exec', 'apiVersion');
  if (!VERSIONS.includes(apiVersion)) throw new Error(`exec.apiVersion must be ${VERSIONS.join(' or ')}`);
  const command = textIn(value, 'exec', 'command');
  if (command === '') throw new Error('exec.command is required');
  // Only v1 requires the field.
  const mode = textIn(value, 'exec', 'interactiveMode') || (apiVersion === VERSIONS[0] ? '' : 'IfAvailable');
  const interactiveMode = MODES.find((one) => one === mode);
  if (interactiveMode === undefined) throw new Error(`exec.interactiveMode must be ${MODES.join(', ')}`);
  const provideClusterInfo = value['provideClusterInfo'] ?? false;
  if (typeof provideClusterInfo !== 'boolean') {
    throw new Error('exec.provideClusterInfo must be true or false');
  }
  const hint = plainLine(textIn(value, 'exec', 'installHint')).trim();
  return {
    apiVersion,
    command,
    args: listIn(value, 'args').map((item, index) => checked(item, `exec.args[${index}]`)),
    env: listIn(value, 'env').map((item, index) => variableOf(item, `exec.env[${index}]`)),
    installHint: hint === '' ? null : shortened(hint, MAX_HINT),
    interactiveMode,
    provideClusterInfo,
  };
}

/** The file name of the program, for sentences. */
export function pluginName(plugin: ExecPlugin): string {
  return shortened(plainLine(basename(plugin.command)), 100);
}

/**
 * Finds the program as client-go does.
 * @param folder of the kubeconfig: a command with a slash is relative to it
 * @param path PATH, in which other commands are searched. As in client-go, nothing is found by a relative entry.
 * @returns an absolute path
 * @throws DomainError if it does not exist or is not executable, with the install hint
 */
export async function resolvePlugin(
  plugin: ExecPlugin,
  folder: string,
  path: string | undefined,
): Promise<string> {
  const { command, installHint } = plugin;
  const isPath = command.includes('/');
  const folders = (path ?? '').split(delimiter).filter(isAbsolute);
  const candidates = isPath
    ? [isAbsolute(command) ? command : join(folder, command)]
    : folders.map((one) => join(one, command));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate;
  }
  const why = isPath
    ? `${plainLine(candidates.join())} does not exist or is not an executable file`
    : 'no folder of PATH has an executable file with this name';
  throw new DomainError(
    'command_unavailable',
    `Could not find the credential plugin ${pluginName(plugin)}: ${why}. ${
      installHint === null
        ? 'Install it, or correct exec.command in the kubeconfig.'
        : asSentence(installHint)
    }`,
  );
}

/** SHA-256 in hexadecimal of what the user agrees to: command, arguments, path and environment, each in its order. */
export function pluginFingerprint({ command, args, env }: ExecPlugin, resolvedPath: string): string {
  const parts = [command, args, resolvedPath, env.map(({ name, value }) => [name, value])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** @returns an empty text if the field is missing. */
function textIn(record: Record<string, unknown>, place: string, field: string): string {
  return checked(record[field] ?? '', `${place}.${field}`);
}

function checked(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Error(`${place} must be a string`);
  if (value.length > MAX_TEXT) throw new Error(`${place} is longer than ${MAX_TEXT} characters`);
  // Neither an argument nor a variable can have it.
  if (value.includes('\0')) throw new Error(`${place} contains a NUL character`);
  return value;
}

function listIn(record: Record<string, unknown>, field: string): unknown[] {
  const list = record[field] ?? [];
  if (!Array.isArray(list)) throw new Error(`exec.${field} must be a list`);
  if (list.length > MAX_ITEMS) throw new Error(`exec.${field} has more than ${MAX_ITEMS} items`);
  return list;
}

function variableOf(item: unknown, place: string): { name: string; value: string } {
  if (!isRecord(item)) throw new Error(`${place} must be an object`);
  const name = textIn(item, place, 'name');
  if (name === '' || name.includes('=')) throw new Error(`${place}.name is invalid`);
  return { name, value: textIn(item, place, 'value') };
}
