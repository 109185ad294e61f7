import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError, readConfiguration, type ConfigurationValues } from './configuration.js';
import { readEnvironment } from './environment.js';
import { readProject } from './project.js';
import { fileVariableOf } from './secret-files.js';
import { variables } from './variables.js';

type Key = keyof ConfigurationValues;

/** Valid and invalid texts of each variable. */
const CASES: Record<Key, { good: [text: string, value: unknown][]; bad: string[] }> = {
  host: {
    good: [
      ['127.0.0.1', '127.0.0.1'],
      ['127.8.9.1', '127.8.9.1'],
      ['::1', '::1'],
      ['localhost', '127.0.0.1'],
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      ['192.168.1.5', '192.168.1.5'],
    ],
    bad: ['127.0.0.1.example.org', '127.0.0.256', 'localhost.example.org', '127.1'],
  },
  port: {
    good: [
      ['8080', 8080],
      ['0', 0],
      ['65535', 65535],
    ],
    bad: ['65536', '-1', '80.5', '8080a', '0x50', '1e3'],
  },
  logBoardPort: { good: [['9001', 9001]], bad: ['http'] },
  allowedHosts: {
    good: [
      ['', []],
      ['A.test, b.test:81,[::1]:8080', ['a.test', 'b.test:81', '[::1]:8080']],
    ],
    bad: ['*', 'http://a.test', 'a b', '*.test', 'a.test/'],
  },
  trustedProxies: {
    good: [
      ['', []],
      ['127.0.0.1, 10.0.0.0/8,fd00::/8', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
    ],
    bad: ['proxy.test', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '*', '127.0.0.1:80'],
  },
  publicUrl: {
    good: [
      ['', ''],
      ['https://Slipway.test', 'https://slipway.test'],
      ['http://slipway.test:8443/', 'http://slipway.test:8443'],
      ['https://slipway.test/Slip-way/', 'https://slipway.test/Slip-way'],
      ['https://slipway.test/a/./../b/c', 'https://slipway.test/b/c'],
      ['https://slipway.test/apis', 'https://slipway.test/apis'],
    ],
    bad: [
      'slipway.test',
      'ftp://slipway.test',
      'https://me@slipway.test',
      'https://slipway.test/a#b',
      'https://slipway.test/a?b=c',
      'https://slipway.test/a//b',
      'https://slipway.test/a b',
      'https://slipway.test/a%2fb',
      'https://slipway.test/a;b',
      'https://slipway.test/api',
      'https://slipway.test/docs/slipway',
    ],
  },
  logBoardPublicUrl: { good: [['https://logs.test', 'https://logs.test']], bad: ['https://logs.test?a=1'] },
  tlsCert: {
    good: [
      ['', ''],
      ['/etc/tls.crt', '/etc/tls.crt'],
    ],
    bad: ['tls.crt'],
  },
  tlsKey: { good: [['/etc/tls.key', '/etc/tls.key']], bad: ['~/tls.key'] },
  forwardPorts: {
    good: [
      ['', undefined],
      ['9100-9119', { first: 9100, last: 9119 }],
      ['9100', { first: 9100, last: 9100 }],
    ],
    bad: ['0', '9119-9100', '9100-65536', '9100-', 'any'],
  },
  auth: {
    good: [
      ['auto', 'auto'],
      ['required', 'required'],
    ],
    bad: ['none', 'off', 'AUTO'],
  },
  dataDirectory: { good: [['/srv/slipway', '/srv/slipway']], bad: ['relative/folder', '~/slipway'] },
  runtime: {
    good: [
      ['auto', 'auto'],
      ['demo', 'demo'],
    ],
    bad: ['Docker', 'containerd'],
  },
  dockerHost: {
    good: [
      ['unix:///run/user/1000/docker.sock', 'unix:///run/user/1000/docker.sock'],
      ['tcp://127.0.0.1:2375', 'tcp://127.0.0.1:2375'],
      ['ssh://me@host', 'ssh://me@host'],
      ['localhost:2375', 'localhost:2375'],
      ['unix://', 'unix://'],
    ],
    bad: ['/var/run/docker.sock', 'unix:/var/run/docker.sock', 'unix://relative', 'ftp://x'],
  },
  podmanSocket: {
    good: [
      ['/run/podman/podman.sock', '/run/podman/podman.sock'],
      ['unix:///run/podman/podman.sock', '/run/podman/podman.sock'],
    ],
    bad: ['podman.sock', 'tcp://127.0.0.1:1'],
  },
  logIntake: { good: [['off', 'off']], bad: ['no', 'ON'] },
  auditTarget: {
    good: [
      ['', undefined],
      ['syslog+tls://Audit.test', { form: 'syslog', url: new URL('https://audit.test:6514') }],
      ['syslog+tls://audit.test:443/', { form: 'syslog', url: new URL('https://audit.test') }],
      ['syslog+tcp://[::1]', { form: 'syslog', url: new URL('http://[::1]:601') }],
      ['https://audit.test/in?token=x', { form: 'webhook', url: new URL('https://audit.test/in?token=x') }],
    ],
    bad: [
      'audit.test:514',
      'syslog://audit.test',
      'syslog+udp://audit.test',
      'syslog+tls://audit.test/path',
      'syslog+tls://me:pw@audit.test',
      'https://me:pw@audit.test',
      'https://audit.test/#x',
      'unix:///dev/log',
    ],
  },
  logStore: {
    good: [
      ['embedded', undefined],
      ['http://127.0.0.1:9428', new URL('http://127.0.0.1:9428')],
      ['https://me:pass%20word@logs.test/vl/', new URL('https://me:pass%20word@logs.test/vl/')],
    ],
    bad: ['none', '127.0.0.1:9428', 'ftp://logs.test', 'http://logs.test?a=1', 'http://me:%ff@logs.test'],
  },
  logHistorySize: {
    good: [
      ['2GB', 2_000_000_000],
      ['0.5 gb', 500_000_000],
    ],
    bad: ['2', '2000000000', '9MB', '2GiB', '-1GB', 'all'],
  },
  logSourceSize: { good: [['50MB', 50_000_000]], bad: ['999KB', '50'] },
  logHistoryDays: { good: [['30', 30]], bad: ['0', '1.5', '3651'] },
  journalDays: { good: [['730', 730]], bad: ['0', '1.5', '36501'] },
  journalEntries: { good: [['10000', 10_000]], bad: ['9999', '1e6', '100000001'] },
  container: { good: [['slipway', 'slipway']], bad: ['/slipway', 'a b', '../x'] },
  kind: { good: [['/opt/kind', '/opt/kind']], bad: ['kind', './kind'] },
  helm: { good: [['/opt/helm', '/opt/helm']], bad: ['helm'] },
  chartHosts: { good: [['charts.internal:8443', ['charts.internal:8443']]], bad: ['https://charts'] },
  webhookHosts: { good: [['localhost:5678', ['localhost:5678']]], bad: ['http://localhost:5678/hook'] },
  nodeImageRepository: {
    good: [
      ['kindest/node', 'kindest/node'],
      ['registry.internal:5000/kindest/node', 'registry.internal:5000/kindest/node'],
    ],
    bad: ['kindest/node:v1.34.0', 'kindest/node@sha256:00', '-kindest/node', 'kindest//node', 'a b'],
  },
  registryLookup: { good: [['off', 'off']], bad: ['no', 'OFF'] },
  demoSpeed: {
    good: [
      ['10', 10],
      ['0.5', 0.5],
    ],
    bad: ['0', '-1', '1001', 'fast', 'Infinity', '1e2'],
  },
  demoFailures: {
    good: [
      ['', []],
      [
        'create:joining-workers, delete',
        [
          { operation: 'create', step: 'joining-workers' },
          { operation: 'delete', step: undefined },
        ],
      ],
    ],
    bad: ['crash', 'create:', 'create:a:b'],
  },
  user: { good: [['me@example.org', 'me@example.org']], bad: ['a b', 'a:b', 'x'.repeat(65)] },
  viewerPassword: {
    good: [
      ['', ''],
      ['only for looking', 'only for looking'],
    ],
    bad: ['short', 'change-me'],
  },
  password: {
    good: [
      ['correct horse battery', 'correct horse battery'],
      // Kept verbatim.
      [' correct horse ', ' correct horse '],
    ],
    bad: ['short', 'change-me', 'Password', 'changeit', 'my-secret-key', 'admin123', '123456789'],
  },
  secretKey: {
    good: [['0123456789abcdef'.repeat(4), '0123456789abcdef'.repeat(4)]],
    bad: [
      'secret',
      'change-me-in-production',
      'abcd'.repeat(8),
      'g'.repeat(64),
      'a'.repeat(64),
      '0'.repeat(63),
    ],
  },
  authMethod: { good: [['jwt', 'jwt']], bad: ['basic', 'none'] },
  sessionTimeout: {
    good: [
      ['3600', 3600],
      ['1', 1],
    ],
    bad: ['0', '-5', '1h', '31536001'],
  },
  sessionMax: {
    good: [
      ['3600', 3600],
      ['86400', 86400],
    ],
    bad: ['0', '3599', '1d', '31536001'],
  },
  encryptionKey: {
    good: [['fedcba9876543210'.repeat(4), 'fedcba9876543210'.repeat(4)]],
    bad: ['your-secret-key'],
  },
  encryptionKeyPrevious: {
    good: [
      ['0123456789abcdef'.repeat(4), '0123456789abcdef'.repeat(4)],
      ['lost', 'lost'],
    ],
    bad: ['secret', 'abcd', 'LOST'],
  },
  jobs: { good: [['4', 4]], bad: ['0', '33', 'two'] },
  logLevel: { good: [['debug', 'debug']], bad: ['verbose', 'INFO'] },
  logFormat: { good: [['json', 'json']], bad: ['xml'] },
};

function problemsOf(environment: Record<string, string>): ConfigurationError {
  try {
    readConfiguration(environment, 'linux');
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error(`nothing is wrong with ${JSON.stringify(environment)}`);
}

describe.each(Object.entries(CASES))('%s', (key, { good, bad }) => {
  const definition = variables[key as Key];
  const isSecret = 'secret' in definition && definition.secret === true;

  it.each(good)(`accepts ${definition.name}=%s`, (text, value) => {
    expect(readConfiguration({ [definition.name]: text }, 'linux').values[key as Key]).toEqual(value);
  });

  it.each(bad)(`rejects ${definition.name}=%s with an example`, (text) => {
    const error = problemsOf({ [definition.name]: text });
    expect(error.problems.map(({ variable }) => variable)).toEqual([definition.name]);
    expect(error.message).toContain(`${definition.name} `);
    expect(error.message).toContain(`Example: ${definition.name}=${definition.example}`);
    if (isSecret) expect(error.message).not.toContain(text);
    else if (definition.besideSecrets === true || definition.mayHaveSecret === true) {
      expect(error.message).not.toContain('(it is');
    } else expect(error.message).toContain(text.slice(0, 40));
  });

  it('has a valid example, or a description for a secret', () => {
    const isSentence = /\s/.test(definition.example);
    expect(isSentence).toBe(isSecret);
    if (!isSentence) readConfiguration({ [definition.name]: definition.example }, 'linux');
  });
});

describe('readConfiguration', () => {
  it('uses the defaults for unset and empty variables', () => {
    const nothing = readConfiguration({ HOME: '/home/me' }, 'linux').values;
    expect(nothing).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      logBoardPort: 9001,
      user: 'admin',
      runtime: 'auto',
      jobs: 2,
      sessionTimeout: 3600,
      sessionMax: 3600,
    });
    const empty = Object.fromEntries(Object.values(variables).map(({ name }) => [name, ' ']));
    expect(readConfiguration({ HOME: '/home/me', ...empty }, 'linux').values).toEqual(nothing);
  });

  it('reports all problems', () => {
    const { problems } = problemsOf({ APP_PORT: 'x', APP_JOBS: '0', SECRET_KEY: 'secret' });
    expect(problems.map(({ variable }) => variable)).toEqual(['APP_PORT', 'SECRET_KEY', 'APP_JOBS']);
  });

  it('truncates quoted values', () => {
    expect(problemsOf({ APP_RUNTIME: 'x'.repeat(500) }).message.length).toBeLessThan(300);
  });

  it.each([
    ['linux', { HOME: '/home/me' }, '/home/me/.local/share/slipway'],
    ['linux', { HOME: '/home/me', XDG_DATA_HOME: '/data' }, '/data/slipway'],
    ['linux', { HOME: '/home/me', XDG_DATA_HOME: 'not/absolute' }, '/home/me/.local/share/slipway'],
    ['darwin', { HOME: '/Users/me' }, '/Users/me/Library/Application Support/slipway'],
  ] as const)('keeps its data where %s has it (%j)', (platform, environment, expected) => {
    expect(readConfiguration(environment, platform).values.dataDirectory).toBe(expected);
  });

  it('has every variable in .env.example', () => {
    const text = readFileSync(join(readProject().root, '.env.example'), 'utf8');
    const named = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    const all = Object.values(variables).flatMap((one) => [one.name, fileVariableOf(one) ?? []].flat());
    expect(named.sort()).toEqual(all.sort());
  });
});

describe('NAME_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const path = join(folder, 'secret');
  afterAll(() => rmSync(folder, { recursive: true }));

  function read(text: string, environment: Record<string, string> = {}): unknown {
    writeFileSync(path, text);
    return readConfiguration({ APP_PASS_FILE: path, ...environment }, 'linux').values.password;
  }

  it.each([
    ['correct horse battery\n', 'correct horse battery'],
    ['correct horse battery\r\n', 'correct horse battery'],
    [' correct horse \n\n', ' correct horse \n'],
  ])('takes APP_PASS from a file with %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('exists for every secret, and for URLs that may have one', () => {
    const all = Object.values(variables).map(fileVariableOf);
    expect(all.filter((name) => name !== undefined)).toEqual([
      'APP_AUDIT_TARGET_FILE',
      'APP_PASS_FILE',
      'APP_VIEWER_PASS_FILE',
      'SECRET_KEY_FILE',
      'ENCRYPTION_KEY_FILE',
      'ENCRYPTION_KEY_PREVIOUS_FILE',
      'APP_LOG_STORE_FILE',
    ]);
  });

  it.each([
    ['both are set', { APP_PASS_FILE: path, APP_PASS: 'correct horse' }, 'and APP_PASS are both set'],
    ['a relative path', { APP_PASS_FILE: 'secret' }, 'must be an absolute path'],
    ['a missing file', { APP_PASS_FILE: join(folder, 'none') }, 'cannot read (ENOENT)'],
    ['a folder', { APP_PASS_FILE: folder }, 'cannot read (EISDIR)'],
  ])('rejects %s', (_what, environment, message) => {
    writeFileSync(path, 'from the file');
    const { problems } = problemsOf(environment);
    expect(problems).toEqual([
      {
        variable: 'APP_PASS_FILE',
        problem: expect.stringContaining(message),
        example: '/run/secrets/app_pass',
      },
    ]);
  });

  it('rejects an empty file, and names APP_PASS for an invalid content without showing it', () => {
    writeFileSync(path, '\n');
    expect(problemsOf({ APP_PASS_FILE: path }).message).toContain('APP_PASS_FILE names an empty file');
    writeFileSync(path, 'short\n');
    const { message } = problemsOf({ APP_PASS_FILE: path });
    expect(message).toContain('APP_PASS must have at least 8 characters');
    expect(message).not.toContain('short');
  });
});

describe('readEnvironment', () => {
  it('prefers the environment of the process to the .env file of the installation', () => {
    const folder = mkdtempSync(join(tmpdir(), 'env-'));
    writeFileSync(join(folder, '.env'), 'PATH=/nowhere\nAPP_SPEC_ONLY="from the file"\n');
    const environment = readEnvironment(folder);
    rmSync(folder, { recursive: true });
    expect(environment['APP_SPEC_ONLY']).toBe('from the file');
    expect(environment['PATH']).not.toBe('/nowhere');
    expect(readEnvironment(folder)['APP_SPEC_ONLY']).toBeUndefined();
  });
});
