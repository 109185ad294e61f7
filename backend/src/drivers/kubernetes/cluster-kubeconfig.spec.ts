import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ClusterKubeconfig } from './cluster-kubeconfig.js';

/** The output of kind 0.33 with shorter credentials. */
const KINDS_OWN = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: Q0E=
    server: https://127.0.0.1:37655
  name: kind-staging
contexts:
- context:
    cluster: kind-staging
    user: kind-staging
  name: kind-staging
current-context: kind-staging
kind: Config
users:
- name: kind-staging
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
`;
/** An empty field that kind adds. */
const AS_PRINTED = KINDS_OWN.replace('users:', 'preferences: {}\nusers:');

const PARSED = parse(KINDS_OWN) as Record<string, unknown>;

describe('ClusterKubeconfig for containers', () => {
  const kubeconfig = ClusterKubeconfig.parse(AS_PRINTED);

  it('uses the host alias, and verifies a name of the certificate', () => {
    expect(kubeconfig.viaHost('host.docker.internal')).toBe(
      KINDS_OWN.replace(
        'server: https://127.0.0.1:37655\n',
        'server: https://host.docker.internal:37655\n    tls-server-name: localhost\n',
      ),
    );
  });

  it('uses the control plane or the load balancer on the network of the cluster', () => {
    expect(kubeconfig.viaNetwork('staging-external-load-balancer').text).toBe(
      KINDS_OWN.replace('127.0.0.1:37655', 'staging-external-load-balancer:6443'),
    );
  });

  it('uses the port of an IPv6 address', () => {
    const text = KINDS_OWN.replace('127.0.0.1', '[::1]');
    expect(ClusterKubeconfig.parse(text).viaHost('host.docker.internal')).toContain(
      'server: https://host.docker.internal:37655\n',
    );
  });
});

describe('ClusterKubeconfig.parse', () => {
  it('rebuilds the kubeconfig in the format of kind', () => {
    expect(ClusterKubeconfig.parse(AS_PRINTED).text).toBe(KINDS_OWN);
  });

  it('accepts a token instead of a certificate', () => {
    const kubeconfig = ClusterKubeconfig.parse(withUser({ token: 'abc.def' }));
    expect(kubeconfig.user).toEqual({ token: 'abc.def' });
  });

  it('keeps only allowed fields', () => {
    const text = changed({
      preferences: { colors: true, extensions: [{ name: 'x', extension: { exec: 'a' } }] },
      extensions: [{ name: 'x', extension: { command: '/bin/sh' } }],
      clusters: [{ name: 'kind-staging', cluster: cluster({}), extensions: 'x' }],
    });
    expect(ClusterKubeconfig.parse(text).text).toBe(KINDS_OWN.replace(':37655', ':1'));
  });
});

describe('ClusterKubeconfig.parse with a malicious kubeconfig', () => {
  const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', command: '/usr/bin/touch', args: ['/tmp/x'] };
  const cases: [what: string, text: string, reason: RegExp][] = [
    ['is empty', '', /not valid YAML/],
    ['is not YAML', KINDS_OWN.replace('kind: Config', 'kind: [Config'), /not valid YAML/],
    ['has a key twice', `${KINDS_OWN}kind: Config\n`, /duplicate key/],
    ['has a key twice in a user', KINDS_OWN.replace('  user:\n', '  user: {}\n  user:\n'), /duplicate key/],
    ['has an alias', `${KINDS_OWN.replace('name: kind-staging', 'name: &a x')}extra: *a\n`, /alias/],
    ['is two documents', `${KINDS_OWN}---\n${KINDS_OWN}`, /not valid YAML/],
    ['is something else', KINDS_OWN.replace('kind: Config', 'kind: Pod'), /not a kubeconfig/],
    ['has no cluster', changed({ clusters: [] }), /exactly one cluster/],
    ['has clusters that are not a list', changed({ clusters: {} }), /exactly one cluster/],
    ['has two users', changed({ users: [{}, {}] }), /exactly one user/],
    ['has no context', changed({ contexts: null }), /exactly one context/],
    ['has an empty cluster', changed({ clusters: [null] }), /clusters\[0\]\.cluster is required/],
    ['has no server', withCluster({ server: undefined }), /cluster\.server is required/],
    ['has a number for a server', withCluster({ server: 6443 }), /cluster\.server is invalid/],
    ['is not encrypted', KINDS_OWN.replace('https:', 'http:'), /cluster\.server is invalid/],
    ['has a user in its server', withCluster({ server: 'https://a:b@x:1' }), /cluster\.server is invalid/],
    ['has a path in its server', withCluster({ server: 'https://x:1/../a' }), /cluster\.server is invalid/],
    ['has a socket for a server', withCluster({ server: 'unix:///run/x' }), /cluster\.server is invalid/],
    [
      'has no authority',
      withCluster({ 'certificate-authority-data': undefined }),
      /authority-data is required/,
    ],
    [
      'has an authority that is not base64',
      withCluster({ 'certificate-authority-data': '$(x)' }),
      /is invalid/,
    ],
    [
      'names a file for the authority',
      withCluster({ 'certificate-authority': '/etc/passwd' }),
      field('cluster', 'certificate-authority'),
    ],
    ['goes through a proxy', withCluster({ 'proxy-url': 'http://evil' }), field('cluster', 'proxy-url')],
    [
      'turns verification off',
      withCluster({ 'insecure-skip-tls-verify': true }),
      field('cluster', 'insecure-skip-tls-verify'),
    ],
    ['names another server', withCluster({ 'tls-server-name': 'evil' }), field('cluster', 'tls-server-name')],
    ['runs a program', withUser({ exec: EXEC }), field('user', 'exec')],
    [
      'has a provider',
      withUser({ 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/sh' } } }),
      field('user', 'auth-provider'),
    ],
    ['names a file for a token', withUser({ tokenFile: '/root/.ssh/id_rsa' }), field('user', 'tokenFile')],
    ['names it the other way', withUser({ 'token-file': '/root/.ssh/id_rsa' }), field('user', 'token-file')],
    [
      'names a file for its certificate',
      withUser({ 'client-certificate': '/etc/hostname' }),
      field('user', 'client-certificate'),
    ],
    [
      'names a file for its key',
      withUser({ 'client-key': '/root/.ssh/id_rsa' }),
      field('user', 'client-key'),
    ],
    ['has a password', withUser({ username: 'a', password: 'b' }), field('user', 'username')],
    ['acts as another', withUser({ as: 'system:admin' }), field('user', 'as')],
    [
      'has a header in its token',
      withUser({ token: 'a\r\nX-Evil: 1' }),
      /users\[0\]\.user\.token is invalid/,
    ],
    [
      'has a key without a certificate',
      withUser({ 'client-key-data': 'S0VZ' }),
      /client-certificate-data is required/,
    ],
    [
      'has a certificate without a key',
      withUser({ 'client-certificate-data': 'S0VZ' }),
      /client-key-data is required/,
    ],
    [
      'has a field for a terminal',
      withUser({ '\u001b[2J': 'x' }),
      /a field of users\[0\]\.user is not allowed/,
    ],
    [
      'has a name for a terminal',
      changed({ contexts: [{ name: '\u001b[2J', context: {} }] }),
      /contexts\[0\]\.name is invalid/,
    ],
    ['is far too long', `# ${'x'.repeat(300_000)}\n${KINDS_OWN}`, /larger than 16 kB/],
    ['is deep', '['.repeat(10_000), /not valid YAML/],
  ];

  it.each(cases)('rejects one that %s, without quoting its values', (_what, text, reason) => {
    let message = '';
    try {
      ClusterKubeconfig.parse(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(reason);
    expect(message).not.toMatch(/S0VZ|Q0VSVA|id_rsa|evil|touch|\/bin/);
  });
});

function field(what: 'cluster' | 'user', name: string): RegExp {
  return new RegExp(`^${what}s\\[0\\]\\.${what}\\.${name} is not allowed$`);
}

function changed(change: Record<string, unknown>): string {
  return JSON.stringify({ ...PARSED, ...change });
}

function cluster(change: Record<string, unknown>): Record<string, unknown> {
  return { server: 'https://127.0.0.1:1', 'certificate-authority-data': 'Q0E=', ...change };
}

function withCluster(change: Record<string, unknown>): string {
  return changed({ clusters: [{ name: 'kind-staging', cluster: cluster(change) }] });
}

function withUser(user: Record<string, unknown>): string {
  return changed({ users: [{ name: 'kind-staging', user }] });
}
