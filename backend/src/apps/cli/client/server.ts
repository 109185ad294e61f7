import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { Configuration } from '../../../core/config/index.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { isLoopbackAddress } from '../../../core/security/address.js';
import {
  readServerFile,
  type ServedApplication,
  type ServerFile,
} from '../../../core/storage/server-file.js';
import { CliError, EXIT } from '../cli-error.js';

/** An application of a running Slipway, as the command line reaches it. */
export interface Server {
  /** Without a final slash. */
  url: string;
  /** Undefined if the server is expected to need none. */
  token: string | undefined;
  /** Certificates to trust instead of the authorities of Node. */
  tls: Pick<ConnectionOptions, 'ca' | 'allowPartialTrustChain' | 'checkServerIdentity'>;
  /** The URL for browsers, if it differs. */
  page?: string;
  /** The message if nothing listens there; by default that the connection was refused. */
  whenRefused?: CliError;
}

/** The options of the command line that select the server. */
export interface ServerOptions {
  server?: string;
  logBoard?: string;
  token?: string;
  insecure?: true;
}

/**
 * Finds an application: at the address of an option or variable, otherwise by its file in the data folder. A token for
 * one server is never sent to another.
 * @throws CliError `unreachable` if it does not run.
 */
export function findServer(
  { environment, values }: Configuration,
  application: ServedApplication,
  options: ServerOptions,
): Server {
  const token = options.token ?? nonEmpty(environment['SLIPWAY_TOKEN']);
  const dashboard = options.server ?? nonEmpty(environment['SLIPWAY_SERVER']);
  const logBoard = options.logBoard ?? nonEmpty(environment['SLIPWAY_LOG_BOARD']);
  const chosen = application === 'dashboard' ? dashboard : logBoard;
  if (chosen !== undefined) return { url: addressOf(chosen, options.insecure), token, tls: {} };
  if (dashboard !== undefined || logBoard !== undefined) {
    throw application === 'dashboard'
      ? new CliError('The address of the dashboard is unknown. Pass it with --server URL.', EXIT.usage)
      : new CliError('The address of the log board is unknown. Pass it with --log-board URL.', EXIT.usage);
  }
  const local = localServer(values.dataDirectory, application);
  return token === undefined ? local : { ...local, token };
}

/** The file of an application that runs here; undefined also if its file cannot be used. */
export function runningServer(folder: string, application: ServedApplication): ServerFile | undefined {
  try {
    return readServerFile(folder, application);
  } catch {
    return undefined;
  }
}

/** @throws CliError if the file cannot be used */
function usableFile(folder: string, application: ServedApplication): ServerFile | undefined {
  try {
    return readServerFile(folder, application);
  } catch (error) {
    throw new CliError(reasonOf(error));
  }
}

function localServer(folder: string, application: ServedApplication): Server {
  const found = usableFile(folder, application);
  const whenRefused = notRunning(folder, application);
  if (!found) throw whenRefused;
  const { url, page, token, certificate } = found;
  return { url, page, token, tls: certificate === undefined ? {} : trusting(certificate), whenRefused };
}

function notRunning(folder: string, application: ServedApplication): CliError {
  const [subject, command] =
    application === 'dashboard' ? ['Slipway', 'slipway serve'] : ['The log board', 'slipway serve log-board'];
  return new CliError(
    `${subject} is not running (data folder ${folder}). Start it with: ${command}`,
    EXIT.unreachable,
  );
}

/**
 * Trusts exactly the certificate of a file, whatever its issuer and the names in it: the address is one of loopback, and
 * the certificate is for the name that others use.
 */
function trusting(file: string): Server['tls'] {
  let chain: Buffer;
  let own: X509Certificate;
  try {
    chain = readFileSync(file);
    own = new X509Certificate(chain);
  } catch (error) {
    throw new CliError(`Could not read the certificate of the server: ${reasonOf(error)}.`);
  }
  return {
    ca: chain,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, { fingerprint256 }) =>
      fingerprint256 === own.fingerprint256
        ? undefined
        : new Error(`the certificate of the server is not the one in ${file}`),
  };
}

function addressOf(text: string, insecure = false): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.origin + url.pathname !== url.href) {
    throw new CliError(
      'The address of the server is invalid: it must be an http or https URL without a query, such as https://example.com/slipway.',
      EXIT.usage,
    );
  }
  if (url.protocol === 'http:' && !insecure && !isThisMachine(url.hostname)) {
    throw new CliError(
      `Could not connect to ${url.origin}. Others on the network can read and change what plain HTTP sends, such as your token. Use https, or pass --insecure.`,
      EXIT.usage,
    );
  }
  return url.href.replace(/\/$/, '');
}

function isThisMachine(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));
}

function nonEmpty(text = ''): string | undefined {
  return text === '' ? undefined : text;
}
