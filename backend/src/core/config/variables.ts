import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  absolutePath,
  hosts,
  list,
  logStore,
  networks,
  oneOf,
  optionalPath,
  origin,
  PLACEHOLDER,
  port,
  REPOSITORY,
  secretKey,
  size,
  wholeNumber,
} from './variable-parsers.js';

/** Where the product looks for its engines when `APP_RUNTIME` does not say otherwise. */
export const RUNTIME_CHOICES = ['auto', 'docker', 'podman', 'demo'] as const;
export type RuntimeChoice = (typeof RUNTIME_CHOICES)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** A failure that the demo runtime plays: the operation and, if given, the step at which it happens. */
export interface DemoFailure {
  operation: string;
  step?: string;
}

/** What a parser gets beside the text: the platform decides some defaults. */
export interface VariableContext {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * One environment variable: how its text becomes a value, and what to tell a person who got it wrong.
 * `parse` throws an `Error` whose message completes the sentence "NAME …", for example "must be a port".
 */
export interface Variable<TValue> {
  name: string;
  meaning: string;
  /** The default as it would be written, empty where there is none. */
  fallback: string;
  example: string;
  /** Whether the value must never be repeated in a message. */
  secret?: boolean;
  /** Whether the same holds for a value that is none: it stands among secrets, and one may be put in its place. */
  besideSecrets?: boolean;
  /** Whether spaces at its ends are a part of it. */
  verbatim?: boolean;
  parse: (text: string, context: VariableContext) => TValue;
}

function variable<TValue>(definition: Variable<TValue>): Variable<TValue> {
  return definition;
}

/** The platform's folder for application data: XDG on Linux, its own conventions elsewhere. */
export function defaultDataDirectory({ platform, environment }: VariableContext): string {
  const home = environment['HOME'] ?? homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'slipway');
  if (platform === 'win32') {
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'slipway');
  }
  const xdg = environment['XDG_DATA_HOME'];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'share'), 'slipway');
}

/** In the place of an earlier key that nobody has any more. */
export const LOST_KEY = 'lost';

/**
 * Every variable of the product, in the order in which `.env.example` shows them.
 * Nothing else in the code base may read the environment (`environment.ts` is the one door).
 */
export const variables = {
  host: variable({
    name: 'APP_HOST',
    meaning: 'Address on which the product listens. On any but a loopback address everybody signs in.',
    fallback: '127.0.0.1',
    example: '0.0.0.0',
    parse: (text) => {
      if (text === 'localhost') return '127.0.0.1';
      if (isIP(text) === 0) throw new Error('must be an IP address (127.0.0.1, ::1, 0.0.0.0) or localhost');
      return text;
    },
  }),
  port: variable({
    name: 'APP_PORT',
    meaning: 'Port of the dashboard and its API.',
    fallback: '8080',
    example: '8080',
    parse: port,
  }),
  logBoardPort: variable({
    name: 'APP_LOG_BOARD_PORT',
    meaning: 'Port of the log board.',
    fallback: '9001',
    example: '9001',
    parse: port,
  }),
  allowedHosts: variable({
    name: 'APP_ALLOWED_HOSTS',
    meaning: 'Further names under which browsers may reach the product (the Host header), comma separated.',
    fallback: '',
    example: 'slipway.test,slipway.test:8080',
    parse: hosts,
  }),
  trustedProxies: variable({
    name: 'APP_TRUSTED_PROXIES',
    meaning:
      'Addresses of proxies in front of the product, comma separated. Other proxies are rejected. Everyone signs in.',
    fallback: '',
    example: '127.0.0.1,10.0.0.0/8',
    parse: networks,
  }),
  publicUrl: variable({
    name: 'APP_PUBLIC_URL',
    meaning: 'Outside address of the dashboard behind a proxy, for links and redirects.',
    fallback: '',
    example: 'https://slipway.example.com',
    parse: origin,
  }),
  logBoardPublicUrl: variable({
    name: 'APP_LOG_BOARD_PUBLIC_URL',
    meaning: 'Outside address of the log board behind a proxy.',
    fallback: '',
    example: 'https://logs.example.com',
    parse: origin,
  }),
  tlsCert: variable({
    name: 'APP_TLS_CERT',
    meaning: 'File with the certificate chain (PEM) to serve HTTPS. Read again when it changes.',
    fallback: '',
    example: '/etc/slipway/tls.crt',
    parse: optionalPath,
  }),
  tlsKey: variable({
    name: 'APP_TLS_KEY',
    meaning: 'File with the private key (PEM) of APP_TLS_CERT.',
    fallback: '',
    example: '/etc/slipway/tls.key',
    parse: optionalPath,
  }),
  auth: variable({
    name: 'APP_AUTH',
    meaning:
      'auto: on loopback, your own user and root need no sign-in to the dashboard. required: everyone signs in.',
    fallback: 'auto',
    example: 'required',
    parse: oneOf(['auto', 'required'] as const),
  }),
  dataDirectory: variable({
    name: 'APP_DATA_DIR',
    meaning: "Folder of all state. Default: the platform's data folder, ~/.local/share/slipway on Linux.",
    fallback: '',
    example: '/home/me/.local/share/slipway',
    parse: (text, context) => (text === '' ? defaultDataDirectory(context) : absolutePath(text)),
  }),
  runtime: variable({
    name: 'APP_RUNTIME',
    meaning: 'auto takes every engine that answers, and the demo only when none does.',
    fallback: 'auto',
    example: 'podman',
    parse: oneOf(RUNTIME_CHOICES),
  }),
  dockerHost: variable({
    name: 'DOCKER_HOST',
    meaning: "Docker's socket, where it is not found by itself.",
    fallback: '',
    example: 'unix:///run/user/1000/docker.sock',
    parse: (text) => {
      if (text !== '' && !/^(unix:\/\/\/|tcp:\/\/|http:\/\/|ssh:\/\/|npipe:)/.test(text)) {
        throw new Error('must start with unix:///, tcp:// or ssh://');
      }
      return text;
    },
  }),
  podmanSocket: variable({
    name: 'APP_PODMAN_SOCKET',
    meaning: "Podman's Docker-compatible socket, where it is not found by itself.",
    fallback: '',
    example: '/run/user/1000/podman/podman.sock',
    parse: (text) => (text === '' ? '' : absolutePath(text.replace(/^unix:\/\//, ''))),
  }),
  kind: variable({
    name: 'APP_KIND',
    meaning: 'The kind program, where it is not found on PATH.',
    fallback: '',
    example: '/usr/local/bin/kind',
    parse: (text) => (text === '' ? '' : absolutePath(text)),
  }),
  helm: variable({
    name: 'APP_HELM',
    meaning: 'The helm program, where it is not found on PATH.',
    fallback: '',
    example: '/usr/local/bin/helm',
    parse: (text) => (text === '' ? '' : absolutePath(text)),
  }),
  chartHosts: variable({
    name: 'APP_CHART_HOSTS',
    meaning: 'Chart repositories on loopback or private addresses that are allowed, comma separated.',
    fallback: '',
    example: 'charts.internal:8443',
    parse: hosts,
  }),
  webhookHosts: variable({
    name: 'APP_WEBHOOK_HOSTS',
    meaning: 'Webhooks of alerts on loopback or private addresses that are allowed, comma separated.',
    fallback: '',
    example: 'localhost:5678,chat.internal',
    parse: hosts,
  }),
  nodeImageRepository: variable({
    name: 'APP_NODE_IMAGE_REPOSITORY',
    meaning: 'Where node images come from: a mirror, say.',
    fallback: 'docker.io/kindest/node',
    example: 'registry.internal:5000/kindest/node',
    parse: (text) => {
      if (!REPOSITORY.test(text)) {
        throw new Error('must be an image repository without a tag, such as docker.io/kindest/node');
      }
      return text;
    },
  }),
  registryLookup: variable({
    name: 'APP_REGISTRY_LOOKUP',
    meaning: 'Whether that registry is asked which versions it has. With off, nothing outside is asked.',
    fallback: 'on',
    example: 'off',
    parse: oneOf(['on', 'off'] as const),
  }),
  demoSpeed: variable({
    name: 'APP_DEMO_SPEED',
    meaning: 'How fast the time of the demo runtime runs; 10 is ten times as fast.',
    fallback: '1',
    example: '10',
    parse: (text) => {
      const value = Number(text);
      if (!/^\d+(\.\d+)?$/.test(text) || value < 0.1 || value > 1000) {
        throw new Error('must be a number from 0.1 to 1000');
      }
      return value;
    },
  }),
  demoFailures: variable({
    name: 'APP_DEMO_FAILURES',
    meaning: 'Failures for the demo runtime to play, comma separated: an operation, or operation:step.',
    fallback: '',
    example: 'create:joining-workers,delete',
    parse: (text): DemoFailure[] =>
      list(text).map((entry) => {
        const match =
          /^(create|delete|start|stop|pull|load|install|upgrade|rollback|uninstall)(?::([a-z][a-z-]*))?$/.exec(
            entry,
          );
        if (!match) {
          throw new Error(
            `holds "${entry}"; write create, delete, start, stop, pull, load, install, upgrade, rollback or uninstall, with a step as in create:joining-workers`,
          );
        }
        return { operation: match[1] as string, step: match[2] };
      }),
  }),
  user: variable({
    name: 'APP_USER',
    meaning: 'Name of the one user of the log board.',
    fallback: 'admin',
    example: 'admin',
    parse: (text) => {
      if (!/^[^\s:/]{1,64}$/.test(text)) {
        throw new Error('must be 1 to 64 characters without spaces, colons or slashes');
      }
      return text;
    },
  }),
  password: variable({
    name: 'APP_PASS',
    meaning: 'Password of that user. Without one, a strong one is made at the first start.',
    fallback: '',
    example: 'a long sentence that only you know',
    secret: true,
    verbatim: true,
    parse: (text) => {
      if (text === '') return '';
      if (PLACEHOLDER.test(text)) throw new Error('is a known placeholder and protects nothing');
      if (text.length < 8) throw new Error('must have at least 8 characters');
      return text;
    },
  }),
  secretKey: variable({
    name: 'SECRET_KEY',
    meaning: 'Key that signs sessions: 32 random bytes in hex. Without one, it is made at the first start.',
    fallback: '',
    example: 'the output of: openssl rand -hex 32',
    secret: true,
    parse: (text) => (text === '' ? '' : secretKey(text)),
  }),
  authMethod: variable({
    name: 'AUTH_METHOD',
    meaning: 'How one signs in. Only jwt is served.',
    fallback: 'jwt',
    example: 'jwt',
    besideSecrets: true,
    parse: (text) => {
      if (text !== 'jwt') {
        throw new Error('must be jwt: the older scheme "basic" was replaced by sign-in with a session');
      }
      return text;
    },
  }),
  sessionTimeout: variable({
    name: 'SESSION_TIMEOUT',
    meaning: 'Lifetime of a session in seconds.',
    fallback: '3600',
    example: '28800',
    besideSecrets: true,
    parse: (text) => wholeNumber(text, 1, 31_536_000),
  }),
  encryptionKey: variable({
    name: 'ENCRYPTION_KEY',
    meaning: 'Key for stored secrets: 32 random bytes in hex. Without one, it is made at the first start.',
    fallback: '',
    example: 'the output of: openssl rand -hex 32',
    secret: true,
    parse: (text) => (text === '' ? '' : secretKey(text)),
  }),
  encryptionKeyPrevious: variable({
    name: 'ENCRYPTION_KEY_PREVIOUS',
    meaning: `The key before, for the one start that encrypts stored secrets anew; ${LOST_KEY} gives them up.`,
    fallback: '',
    example: 'the ENCRYPTION_KEY until now',
    secret: true,
    parse: (text) => (['', LOST_KEY].includes(text) ? text : secretKey(text)),
  }),
  jobs: variable({
    name: 'APP_JOBS',
    meaning: 'How many cluster jobs run at once; further ones wait.',
    fallback: '2',
    example: '4',
    parse: (text) => wholeNumber(text, 1, 32),
  }),
  logIntake: variable({
    name: 'APP_LOG_INTAKE',
    meaning: 'Whether the log board takes lines in. With off, it shows what is kept.',
    fallback: 'on',
    example: 'off',
    parse: oneOf(['on', 'off']),
  }),
  logStore: variable({
    name: 'APP_LOG_STORE',
    meaning: 'Where log lines are stored: embedded, or the address of a VictoriaLogs (docs/victorialogs.md).',
    fallback: 'embedded',
    example: 'http://127.0.0.1:9428',
    // The address may hold a password.
    besideSecrets: true,
    parse: logStore,
  }),
  logHistorySize: variable({
    name: 'APP_LOG_HISTORY_SIZE',
    meaning: 'Room for the history of all logs together; the oldest lines go first.',
    fallback: '2GB',
    example: '500MB',
    parse: (text) => size(text, 10_000_000),
  }),
  logSourceSize: variable({
    name: 'APP_LOG_SOURCE_SIZE',
    meaning: 'Room for the history of one source.',
    fallback: '200MB',
    example: '50MB',
    parse: (text) => size(text, 1_000_000),
  }),
  logHistoryDays: variable({
    name: 'APP_LOG_HISTORY_DAYS',
    meaning: 'Days after which a line goes in any case.',
    fallback: '14',
    example: '30',
    parse: (text) => wholeNumber(text, 1, 3650),
  }),
  journalDays: variable({
    name: 'APP_JOURNAL_DAYS',
    meaning: 'Days after which a journal entry is deleted.',
    fallback: '365',
    example: '730',
    parse: (text) => wholeNumber(text, 1, 36_500),
  }),
  journalEntries: variable({
    name: 'APP_JOURNAL_ENTRIES',
    meaning: 'Maximum number of journal entries; the oldest are deleted first.',
    fallback: '1000000',
    example: '5000000',
    parse: (text) => wholeNumber(text, 10_000, 100_000_000),
  }),
  logLevel: variable({
    name: 'APP_LOG_LEVEL',
    meaning: `How much the server says: ${LOG_LEVELS.join(', ')}.`,
    fallback: 'info',
    example: 'debug',
    parse: oneOf(LOG_LEVELS),
  }),
  logFormat: variable({
    name: 'APP_LOG_FORMAT',
    meaning: 'auto is pretty on a terminal and json elsewhere.',
    fallback: 'auto',
    example: 'json',
    parse: oneOf(LOG_FORMATS),
  }),
};

export type Variables = typeof variables;
