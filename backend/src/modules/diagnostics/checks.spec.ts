import { describe, expect, it } from '@jest/globals';
import { FakeRuntime } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import type { RuntimeStatus } from '../../drivers/runtime/index.js';
import { checkEncryption } from './encryption-check.js';
import { checkEngine } from './engine-checks.js';
import { checkPackageManager, checkProvisioner } from './program-checks.js';
import { bare, checkProxies } from './proxy-check.js';

describe('proxy variables', () => {
  it('that are not set are nothing to mend', () => {
    expect(checkProxies({ HTTP_PROXY: '' })).toMatchObject({ level: 'ok', message: 'none set', fix: null });
  });

  it('are told without who signs in there', () => {
    const { level, message } = checkProxies({
      http_proxy: 'http://me:secret@proxy.test:3128',
      HTTP_PROXY: 'http://unread.test',
      HTTPS_PROXY: 'token@proxy.test:3129',
      NO_PROXY: 'localhost,10.0.0.0/8',
    });
    expect(level).toBe('ok');
    expect(message).toBe(
      'HTTP_PROXY=http://proxy.test:3128, HTTPS_PROXY=proxy.test:3129, NO_PROXY=localhost,10.0.0.0/8. kind hands them to the nodes',
    );
  });

  it.each([
    'http://127.0.0.1:3128',
    'http://localhost:3128',
    'http://me:x@127.0.0.1:3128',
    '[::1]:3128',
    'localhost',
  ])('that lead to this machine itself, %s, lead nodes to themselves', (proxy) => {
    const check = checkProxies({ HTTPS_PROXY: proxy });
    expect(check.level).toBe('warning');
    expect(check.message).toContain('inside a node HTTPS_PROXY leads to the node itself');
    expect(check.fix).not.toBeNull();
  });

  it.each([
    ['http://a:b@c:1', 'http://c:1'],
    ['a@c', 'c'],
    ['http://c:1', 'http://c:1'],
    ['docker.io/kindest/node', 'docker.io/kindest/node'],
  ])('%s is %s without its sign-in', (proxy, expected) => {
    expect(bare(proxy)).toBe(expected);
  });
});

describe('encryption', () => {
  const level = (environment: Record<string, string>): string =>
    checkEncryption(readConfiguration(environment)).level;

  it.each([
    ['on loopback', {}],
    ['with a certificate', { APP_HOST: '0.0.0.0', APP_TLS_CERT: '/tls.crt', APP_TLS_KEY: '/tls.key' }],
    ['behind a trusted proxy', { APP_HOST: '0.0.0.0', APP_TRUSTED_PROXIES: '192.0.2.5' }],
  ])('is not missed %s', (_where, environment) => {
    expect(level(environment)).toBe('ok');
  });

  it.each(['0.0.0.0', '::', '192.0.2.7'])('is missed on %s', (host) => {
    expect(level({ APP_HOST: host })).toBe('warning');
  });
});

describe('programs', () => {
  it('kind: what is wrong with it stops everything, with its fix', () => {
    const status = {
      name: 'kind',
      version: null,
      defaultTag: null,
      fittingTags: [],
      kubernetesRange: null,
      loadBalancerImage: null,
    };
    const problem = { reason: 'kind is not here.', fix: 'https://kind.test' };
    expect(checkProvisioner({ ...status, problem })).toMatchObject({
      level: 'problem',
      message: 'kind is not here.',
      fix: 'https://kind.test',
    });
    expect(
      checkProvisioner({ ...status, version: '0.33.0', problem: null, defaultTag: 'v1.37.0@sha256:00' }),
    ).toMatchObject({
      title: 'kind 0.33.0',
      level: 'ok',
      message: 'makes Kubernetes v1.37.0 unless told otherwise',
    });
  });

  it('helm: its absence is told and stops nothing', () => {
    const problem = { reason: 'helm is not on this machine.', fix: 'https://helm.test' };
    expect(checkPackageManager({ name: 'helm', version: null, problem, warning: null })).toMatchObject({
      title: 'helm',
      level: 'ok',
      fix: 'https://helm.test',
    });
    expect(checkPackageManager({ name: 'helm', version: '4.2.4', problem: null, warning: null }).title).toBe(
      'helm 4.2.4',
    );
  });
});

describe('an engine', () => {
  const machine = new FakeRuntime().info();
  const status = (capabilities: object, available = true): RuntimeStatus => ({
    id: 'podman',
    available,
    reason: available ? null : 'podman is not running.',
    fix: available ? null : 'systemctl --user start podman.socket',
    info: {
      ...machine,
      version: '5.6.0',
      capabilities: { ...machine.capabilities, ...capabilities },
    },
    since: '2026-11-21T09:00:00.000Z',
    attempts: [],
  });

  it('that does not answer says why and what to do, and nothing else', async () => {
    expect(await checkEngine(status({}, false))).toEqual([
      {
        name: 'runtime-podman',
        title: 'podman',
        level: 'warning',
        message: 'podman is not running.',
        fix: 'systemctl --user start podman.socket',
      },
    ]);
  });

  it.each([
    [2, 'ok'],
    [1, 'warning'],
  ])('with control groups of version %i is %s', async (cgroupVersion, level) => {
    const checks = await checkEngine(status({ cgroupVersion }));
    expect(checks.map(({ name }) => name)).toEqual(['runtime-podman', 'cgroup-podman']);
    expect(checks[1]).toMatchObject({
      level,
      message: expect.stringContaining(`version ${cgroupVersion}`) as unknown,
    });
  });

  it('that does not tell the version of its control groups has no check of them', async () => {
    expect(await checkEngine(status({ cgroupVersion: null }))).toHaveLength(1);
  });
});
