import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ClusterKubeconfig } from './cluster-kubeconfig.js';

/** As kind 0.33 writes it, with shorter credentials. */
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
preferences: {}
users:
- name: kind-staging
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
`;

const PARSED = parse(KINDS_OWN) as Record<string, unknown>;

describe('a kubeconfig for containers', () => {
  const kubeconfig = ClusterKubeconfig.parse(KINDS_OWN);

  it('goes through the machine by the name that containers know, verified against one that the certificate has', () => {
    expect(kubeconfig.viaHost('host.docker.internal')).toBe(
      KINDS_OWN.replace(
        'server: https://127.0.0.1:37655\n',
        'server: https://host.docker.internal:37655\n    tls-server-name: localhost\n',
      ),
    );
  });

  it('goes to the control plane, or to what stands before several, on the cluster’s network', () => {
    expect(kubeconfig.viaNetwork('staging-external-load-balancer')).toBe(
      KINDS_OWN.replace('127.0.0.1:37655', 'staging-external-load-balancer:6443'),
    );
  });

  it('has another address in place of a name that was to be verified before', () => {
    const renamed = ClusterKubeconfig.parse(kubeconfig.viaHost('host.containers.internal'));
    expect(renamed.viaNetwork('staging-control-plane')).not.toContain('tls-server-name');
  });

  it('takes the port of an address of the sixth version', () => {
    const text = KINDS_OWN.replace('127.0.0.1', '[::1]');
    expect(ClusterKubeconfig.parse(text).viaHost('host.docker.internal')).toContain(
      'server: https://host.docker.internal:37655\n',
    );
  });
});

describe('what is not as kind writes it', () => {
  const cases: [what: string, text: string, reason: RegExp][] = [
    ['is empty', '', /not valid YAML/],
    ['is no YAML', KINDS_OWN.replace('kind: Config', 'kind: [Config'), /not valid YAML/],
    ['names a key twice', `${KINDS_OWN}kind: Config\n`, /not valid YAML/],
    ['is two documents', `${KINDS_OWN}---\n${KINDS_OWN}`, /not valid YAML/],
    ['is something else', KINDS_OWN.replace('kind: Config', 'kind: Pod'), /not a kubeconfig/],
    ['has no cluster', changed({ clusters: [] }), /exactly one cluster/],
    ['has clusters that are no list', changed({ clusters: {} }), /exactly one cluster/],
    ['has two users', changed({ users: [{}, {}] }), /exactly one user/],
    ['has no context', changed({ contexts: null }), /exactly one context/],
    ['has an empty cluster', changed({ clusters: [null] }), /its cluster is empty/],
    ['has no address', changed({ clusters: [{ cluster: cluster({ server: 6443 }) }] }), /https address/],
    ['is not encrypted', KINDS_OWN.replace('https:', 'http:'), /https address/],
    ['has no port', KINDS_OWN.replace(':37655', ''), /https address/],
    ['has no authority', KINDS_OWN.replace(/ +certificate-authority-data.*\n/, ''), /certificate authority/],
    [
      'switches verification off',
      changed({ clusters: [{ cluster: cluster({ 'insecure-skip-tls-verify': true }) }] }),
      /switches verification off/,
    ],
    ['is far too long', `# ${'x'.repeat(300_000)}\n${KINDS_OWN}`, /too large/],
  ];

  it.each(cases)('because it %s is refused, without a word of its credentials', (_what, text, reason) => {
    let message = '';
    try {
      ClusterKubeconfig.parse(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(reason);
    expect(message).not.toMatch(/S0VZ|Q0VSVA/);
  });

  function changed(change: Record<string, unknown>): string {
    return JSON.stringify({ ...PARSED, ...change });
  }

  function cluster(change: Record<string, unknown>): Record<string, unknown> {
    return { server: 'https://127.0.0.1:1', 'certificate-authority-data': 'Q0E=', ...change };
  }
});
