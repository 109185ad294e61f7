import { describe, expect, it } from '@jest/globals';
import { FakeRuntime } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import type { RuntimeStatus } from '../../drivers/runtime/index.js';
import { checkEncryption } from './checks/encryption-check.js';
import { checkEngine } from './checks/engine-checks.js';
import { checkPackageManager, checkProvisioner } from './checks/program-checks.js';
import { checkProxies, withoutCredentials } from './checks/proxy-check.js';

describe('checkProxies', () => {
  it('reports variables that are not set as ok', () => {
    expect(checkProxies({ HTTP_PROXY: '' })).toMatchObject({ level: 'ok', message: 'not set', fix: null });
  });

  it('shows proxies without credentials', () => {
    const { level, message } = checkProxies({
      http_proxy: 'http://me:secret@proxy.test:3128',
      HTTP_PROXY: 'http://unread.test',
      HTTPS_PROXY: 'token@proxy.test:3129',
      NO_PROXY: 'localhost,10.0.0.0/8',
    });
    expect(level).toBe('ok');
    expect(message).toBe(
      'HTTP_PROXY=http://proxy.test:3128, HTTPS_PROXY=proxy.test:3129, NO_PROXY=localhost,10.0.0.0/8. kind passes them to the nodes',
    );
  });

  it.each([
    'http://127.0.0.1:3128',
    'http://localhost:3128',
    'http://me:x@127.0.0.1:3128',
    '[::1]:3128',
    'localhost',
  ])('warns that the loopback proxy %s does not work in nodes', (proxy) => {
    const check = checkProxies({ HTTPS_PROXY: proxy });
    expect(check.level).toBe('warning');
    expect(check.message).toContain('HTTPS_PROXY points to the node itself');
    expect(check.fix).not.toBeNull();
  });

  it.each([
    ['http://a:b@c:1', 'http://c:1'],
    ['a@c', 'c'],
    ['http://c:1', 'http://c:1'],
    ['docker.io/kindest/node', 'docker.io/kindest/node'],
  ])('turns %s into %s without credentials', (proxy, expected) => {
    expect(withoutCredentials(proxy)).toBe(expected);
  });
});

describe('checkEncryption', () => {
  const level = (environment: Record<string, string>, hostAddress?: string): string =>
    checkEncryption(
      readConfiguration(environment),
      hostAddress === undefined ? undefined : [{ containerPort: 8080, hostAddress }],
    ).level;

  it.each([
    ['on loopback', {}],
    ['with a certificate', { APP_HOST: '0.0.0.0', APP_TLS_CERT: '/tls.crt', APP_TLS_KEY: '/tls.key' }],
    ['behind a trusted proxy', { APP_HOST: '0.0.0.0', APP_TRUSTED_PROXIES: '192.0.2.5' }],
  ])('is ok %s', (_where, environment) => {
    expect(level(environment)).toBe('ok');
  });

  it('depends in a container on the address at which the engine publishes the ports', () => {
    expect(level({ APP_HOST: '0.0.0.0' }, '127.0.0.1')).toBe('ok');
    expect(level({ APP_HOST: '0.0.0.0' }, '0.0.0.0')).toBe('warning');
  });

  it.each(['0.0.0.0', '::', '192.0.2.7'])('warns for plain HTTP on %s', (host) => {
    expect(level({ APP_HOST: host })).toBe('warning');
  });
});

describe('checkProvisioner and checkPackageManager', () => {
  it('reports a problem of kind with its fix', () => {
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
      message: 'creates Kubernetes v1.37.0 by default',
    });
  });

  it('reports a missing helm as ok, with its fix', () => {
    const problem = { reason: 'helm is not installed.', fix: 'https://helm.test' };
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

describe('checkEngine', () => {
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

  it('reports only the reason and fix for an unavailable engine', async () => {
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
  ])('reports cgroup version %i as %s', async (cgroupVersion, level) => {
    const checks = await checkEngine(status({ cgroupVersion }));
    expect(checks.map(({ name }) => name)).toEqual(['runtime-podman', 'cgroup-podman']);
    expect(checks[1]).toMatchObject({
      level,
      message: expect.stringContaining(`version ${cgroupVersion}`) as unknown,
    });
  });

  it('skips the check if the cgroup version is unknown', async () => {
    expect(await checkEngine(status({ cgroupVersion: null }))).toHaveLength(1);
  });
});
