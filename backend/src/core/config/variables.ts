import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  absolutePath,
  auditTarget,
  chosenPassword,
  demoFailures,
  hosts,
  logStore,
  networks,
  oneOf,
  optionalPath,
  port,
  portRange,
  publicUrl,
  REPOSITORY,
  secretKey,
  size,
  wholeNumber,
} from './variable-parsers.js';
import { variable, type VariableContext } from './variable.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** The platform's folder for application data: XDG on Linux, its own conventions elsewhere. */
function defaultDataDirectory({ platform, environment }: VariableContext): string {
  const home = environment['HOME'] ?? homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'slipway');
  if (platform === 'win32') {
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'slipway');
  }
  const xdg = environment['XDG_DATA_HOME'];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'share'), 'slipway');
}

/** The value of ENCRYPTION_KEY_PREVIOUS for a lost key. */
export const LOST_KEY = 'lost';

/** In the order of `.env.example`. */
export const variables = {
  host: variable({
    name: 'APP_HOST',
    meaning: 'Address on which Slipway listens. Beyond loopback, everyone must sign in.',
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
    meaning: 'Additional host names that browsers can use (the Host header), comma separated.',
    example: 'slipway.test,slipway.test:8080',
    parse: hosts,
  }),
  trustedProxies: variable({
    name: 'APP_TRUSTED_PROXIES',
    meaning:
      'Addresses of proxies in front of Slipway, comma separated. Other proxies are rejected. Everyone must sign in.',
    example: '127.0.0.1,10.0.0.0/8',
    parse: networks,
  }),
  publicUrl: variable({
    name: 'APP_PUBLIC_URL',
    meaning: 'Public URL of the dashboard behind a proxy, which may have a path.',
    example: 'https://example.com/slipway',
    parse: publicUrl,
  }),
  logBoardPublicUrl: variable({
    name: 'APP_LOG_BOARD_PUBLIC_URL',
    meaning: 'Public URL of the log board behind a proxy, which may have a path.',
    example: 'https://example.com/slipway-logs',
    parse: publicUrl,
  }),
  tlsCert: variable({
    name: 'APP_TLS_CERT',
    meaning: 'File with the certificate chain (PEM) to serve HTTPS. Reloaded when it changes.',
    example: '/etc/slipway/tls.crt',
    parse: optionalPath,
  }),
  tlsKey: variable({
    name: 'APP_TLS_KEY',
    meaning: 'File with the private key (PEM) of APP_TLS_CERT.',
    example: '/etc/slipway/tls.key',
    parse: optionalPath,
  }),
  forwardPorts: variable({
    name: 'APP_FORWARD_PORTS',
    meaning:
      'Local ports of port-forwards, such as those that a container publishes. The default is any free port.',
    example: '9100-9119',
    parse: (text) => (text === '' ? undefined : portRange(text)),
  }),
  auth: variable({
    name: 'APP_AUTH',
    meaning:
      'auto: on loopback, your own user needs no sign-in to the dashboard. required: everyone must sign in.',
    fallback: 'auto',
    example: 'required',
    parse: oneOf(['auto', 'required']),
  }),
  dataDirectory: variable({
    name: 'APP_DATA_DIR',
    meaning: 'Folder for all data. The default depends on the platform: ~/.local/share/slipway on Linux.',
    example: '/home/me/.local/share/slipway',
    parse: (text, context) => (text === '' ? defaultDataDirectory(context) : absolutePath(text)),
  }),
  runtime: variable({
    name: 'APP_RUNTIME',
    meaning: 'auto uses every engine that responds, and the demo only if none does.',
    fallback: 'auto',
    example: 'podman',
    parse: oneOf(['auto', 'docker', 'podman', 'demo']),
  }),
  dockerHost: variable({
    name: 'DOCKER_HOST',
    meaning: 'Socket of Docker, if Slipway does not find it.',
    example: 'unix:///run/user/1000/docker.sock',
    parse: (text) => {
      if (!/^((unix:\/\/\/|tcp:\/\/|http:\/\/|ssh:\/\/|fd:\/\/|npipe:)|(unix:\/\/|[^/]*)$)/.test(text)) {
        throw new Error('must start with unix:///, tcp:// or ssh://');
      }
      return text;
    },
  }),
  podmanSocket: variable({
    name: 'APP_PODMAN_SOCKET',
    meaning: 'Docker-compatible socket of Podman, if Slipway does not find it.',
    example: '/run/user/1000/podman/podman.sock',
    parse: (text) => (text === '' ? '' : absolutePath(text.replace(/^unix:\/\//, ''))),
  }),
  container: variable({
    name: 'APP_CONTAINER',
    meaning: 'Name or id of the container in which Slipway runs, if Slipway does not detect it.',
    example: 'slipway',
    parse: (text) => {
      if (!/^([a-zA-Z0-9][\w.-]{0,127})?$/.test(text)) {
        throw new Error('must be the name or id of a container');
      }
      return text;
    },
  }),
  kind: variable({
    name: 'APP_KIND',
    meaning: 'Path of the kind program, if it is not on PATH.',
    example: '/usr/local/bin/kind',
    parse: optionalPath,
  }),
  helm: variable({
    name: 'APP_HELM',
    meaning: 'Path of the helm program, if it is not on PATH.',
    example: '/usr/local/bin/helm',
    parse: optionalPath,
  }),
  chartHosts: variable({
    name: 'APP_CHART_HOSTS',
    meaning: 'Allowed chart repositories on loopback or private addresses, comma separated.',
    example: 'charts.internal:8443',
    parse: hosts,
  }),
  webhookHosts: variable({
    name: 'APP_WEBHOOK_HOSTS',
    meaning: 'Allowed webhooks and audit targets on loopback or private addresses, comma separated.',
    example: 'localhost:5678,chat.internal',
    parse: hosts,
  }),
  auditTarget: variable({
    name: 'APP_AUDIT_TARGET',
    meaning:
      'Where journal entries are delivered, too: syslog+tls://host:port, syslog+tcp:// or an https:// webhook.',
    example: 'a URL such as syslog+tls://audit.example.com:6514',
    // A webhook may have a token in its URL.
    secret: true,
    parse: auditTarget,
  }),
  nodeImageRepository: variable({
    name: 'APP_NODE_IMAGE_REPOSITORY',
    meaning: 'Repository of the node images, such as a mirror.',
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
    meaning:
      'Whether Slipway queries that registry for available versions. With off, it sends no such requests.',
    fallback: 'on',
    example: 'off',
    parse: oneOf(['on', 'off']),
  }),
  demoSpeed: variable({
    name: 'APP_DEMO_SPEED',
    meaning: 'Speed of the demo runtime; 10 is ten times as fast.',
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
    meaning: 'Failures that the demo runtime simulates, comma separated: an operation, or operation:step.',
    example: 'create:joining-workers,delete',
    parse: demoFailures,
  }),
  user: variable({
    name: 'APP_USER',
    meaning: 'User name for signing in.',
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
    meaning: 'Password of that user. Without one, Slipway creates a strong one at the first start.',
    example: 'a long sentence that only you know',
    secret: true,
    verbatim: true,
    parse: chosenPassword,
  }),
  viewerPassword: variable({
    name: 'APP_VIEWER_PASS',
    meaning:
      'Read-only password of that user. The page Sessions can change and remove it. Another value here replaces it.',
    example: 'a long sentence for those who may look',
    secret: true,
    verbatim: true,
    parse: chosenPassword,
  }),
  secretKey: variable({
    name: 'SECRET_KEY',
    meaning:
      'Key that signs sessions: 32 random bytes in hex. Without one, Slipway creates it at the first start.',
    example: 'the output of: openssl rand -hex 32',
    secret: true,
    parse: (text) => (text === '' ? '' : secretKey(text)),
  }),
  authMethod: variable({
    name: 'AUTH_METHOD',
    meaning: 'Sign-in method. Only jwt is supported.',
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
    meaning: 'Lifetime of a session in seconds, from the sign-in.',
    fallback: '3600',
    example: '28800',
    besideSecrets: true,
    parse: (text) => wholeNumber(text, 1, 31_536_000),
  }),
  sessionMax: variable({
    name: 'SESSION_MAX',
    meaning:
      'Seconds after which a session ends although a page in use renews it. The default is SESSION_TIMEOUT: no page renews it.',
    example: '86400',
    besideSecrets: true,
    parse: (text, { environment }) => {
      const timeout = Number(environment['SESSION_TIMEOUT']?.trim() || '3600');
      if (text === '') return timeout;
      const seconds = wholeNumber(text, 1, 31_536_000);
      if (seconds < timeout) throw new Error(`must be at least SESSION_TIMEOUT, which is ${timeout}`);
      return seconds;
    },
  }),
  encryptionKey: variable({
    name: 'ENCRYPTION_KEY',
    meaning:
      'Key for stored secrets: 32 random bytes in hex. Without one, Slipway creates it at the first start.',
    example: 'the output of: openssl rand -hex 32',
    secret: true,
    parse: (text) => (text === '' ? '' : secretKey(text)),
  }),
  encryptionKeyPrevious: variable({
    name: 'ENCRYPTION_KEY_PREVIOUS',
    meaning: `Previous key, for the start that re-encrypts stored secrets; ${LOST_KEY} discards them.`,
    example: 'the previous ENCRYPTION_KEY',
    secret: true,
    parse: (text) => (['', LOST_KEY].includes(text) ? text : secretKey(text)),
  }),
  jobs: variable({
    name: 'APP_JOBS',
    meaning: 'Maximum number of cluster jobs that run at the same time; others wait.',
    fallback: '2',
    example: '4',
    parse: (text) => wholeNumber(text, 1, 32),
  }),
  logIntake: variable({
    name: 'APP_LOG_INTAKE',
    meaning: 'Whether the log board reads container logs. With off, it shows stored lines only.',
    fallback: 'on',
    example: 'off',
    parse: oneOf(['on', 'off']),
  }),
  logStore: variable({
    name: 'APP_LOG_STORE',
    meaning: 'Where log lines are stored: embedded, or the URL of VictoriaLogs (docs/victorialogs.md).',
    fallback: 'embedded',
    example: 'http://127.0.0.1:9428',
    // The URL may contain a password.
    mayHaveSecret: true,
    parse: logStore,
  }),
  logHistorySize: variable({
    name: 'APP_LOG_HISTORY_SIZE',
    meaning: 'Maximum size of the stored logs; the oldest lines are deleted first.',
    fallback: '2GB',
    example: '500MB',
    parse: (text) => size(text, 10_000_000),
  }),
  logSourceSize: variable({
    name: 'APP_LOG_SOURCE_SIZE',
    meaning: 'Maximum size of the stored logs of one source.',
    fallback: '200MB',
    example: '50MB',
    parse: (text) => size(text, 1_000_000),
  }),
  logHistoryDays: variable({
    name: 'APP_LOG_HISTORY_DAYS',
    meaning: 'Days after which a log line is deleted.',
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
    meaning: `Log level of the server: ${LOG_LEVELS.join(', ')}.`,
    fallback: 'info',
    example: 'debug',
    parse: oneOf(LOG_LEVELS),
  }),
  logFormat: variable({
    name: 'APP_LOG_FORMAT',
    meaning: 'auto is pretty on a terminal and json elsewhere.',
    fallback: 'auto',
    example: 'json',
    parse: oneOf(['auto', 'pretty', 'json']),
  }),
};

export type Variables = typeof variables;
