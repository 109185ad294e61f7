import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readProject } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { identityOf, readContext, type ContextEntry } from './context-entry.js';
import type { UserContext } from './kubeconfig-files.js';

const fixtures = join(readProject().root, 'test', 'fixtures', 'tls');
const [certificate = '', key = '', authority = ''] = ['first.crt', 'first.key', 'second.crt'].map((name) =>
  readFileSync(join(fixtures, name), 'utf8'),
);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Part = Record<string, unknown>;

function contextOf(
  user: Part | null,
  cluster: Part | null = {},
  more: Partial<UserContext> = {},
): UserContext {
  return {
    name: 'shop',
    file: '/home/ada/.kube/config',
    folder: '/home/ada/.kube',
    shadowed: false,
    namespace: null,
    clusterName: 'c',
    userName: 'ada',
    cluster: cluster && { server: 'https://api.shop.test:6443', ...cluster },
    user,
    ...more,
  };
}

const read = (user: Part, cluster?: Part): ContextEntry => readContext(contextOf(user, cluster));

describe('readContext', () => {
  it('reads all credentials, and prefers data to files', () => {
    const entry = read(
      {
        'client-certificate-data': base64(certificate),
        'client-certificate': '/ignored',
        'client-key': '/home/ada/key',
        token: 'ignored',
        tokenFile: '/home/ada/token',
        as: 'bob',
        'as-groups': ['a', 'b'],
        'as-uid': '7',
      },
      {
        'certificate-authority-data': base64(authority),
        'tls-server-name': 'shop',
        'proxy-url': 'socks5://proxy.test:1080',
      },
    );
    expect(entry).toEqual({
      name: 'shop',
      server: new URL('https://api.shop.test:6443'),
      authority: { data: authority },
      serverName: 'shop',
      insecure: false,
      proxy: new URL('socks5://proxy.test:1080'),
      namespace: null,
      userName: 'ada',
      certificate: { data: certificate },
      key: { file: '/home/ada/key' },
      token: { file: '/home/ada/token' },
      basic: null,
      plugin: null,
      impersonate: { user: 'bob', groups: ['a', 'b'], uid: '7' },
    });
  });

  it('accepts a server without a scheme, an anonymous user and empty fields', () => {
    const {
      server,
      token,
      authority: none,
    } = readContext(
      contextOf(null, { server: 'shop.test:8080/k8s', 'certificate-authority': '' }, { userName: '' }),
    );
    expect([server.href, token, none]).toEqual(['http://shop.test:8080/k8s', null, null]);
  });

  it.each<[string, Part | null, Part | null]>([
    ['its cluster is in no file', {}, null],
    ['its user is in no file', null, {}],
    ['uses an auth-provider', { 'auth-provider': { name: 'gcp' } }, {}],
    ['exclude each other', {}, { 'insecure-skip-tls-verify': true, 'certificate-authority': '/ca' }],
    ['its client-key is missing', { 'client-certificate': '/crt' }, {}],
    ['its client-certificate is missing', { 'client-key': '/key' }, {}],
    ['client-certificate-data is not PEM', { 'client-certificate-data': base64('canary') }, {}],
    ['server must be a URL', {}, { server: '' }],
    ['server must be a URL', {}, { server: 'ftp://canary.test' }],
    ['proxy-url must be a URL', {}, { 'proxy-url': 'socks4://canary.test' }],
    ['proxy-url must be a URL', {}, { 'proxy-url': 'canary.test:3128' }],
    ['username and token exclude', { username: 'canary', token: 'canary' }, {}],
    ['as-groups and as-uid need as', { 'as-groups': ['canary'] }, {}],
    ['as is invalid', { as: 'canary\r\nHost: x' }, {}],
    ['as-user-extra is not supported', { as: 'a', 'as-user-extra': { canary: ['x'] } }, {}],
    ['exec.', { exec: { apiVersion: 'canary', command: 'aws' } }, {}],
  ])('rejects a context: %s (%#)', (problem, user, cluster) => {
    const reading = (): ContextEntry => readContext(contextOf(user, cluster));
    expect(reading).toThrow(problem);
    expect(reading).toThrow(DomainError);
    expect(reading).not.toThrow('canary.test');
  });

  it.each([
    ['certificate-authority', 'leads to a file', {}, { 'certificate-authority': '/ca' }],
    ['client-certificate', 'leads to a file', { 'client-certificate': '/c', 'client-key': '/k' }, {}],
    ['tokenFile', 'leads to a file', { tokenFile: '/token' }, {}],
    ['exec', 'runs a program', { exec: { command: 'aws' } }, {}],
    ['auth-provider', 'runs a program', { 'auth-provider': {} }, {}],
  ])('rejects %s of a pasted kubeconfig, which %s', (field, problem, user: Part, cluster: Part) => {
    const pasted = contextOf(user, cluster, { file: null, folder: null });
    expect(() => readContext(pasted)).toThrow(`a pasted kubeconfig must not have ${field}, which ${problem}`);
  });
});

describe('identityOf', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws', interactiveMode: 'Never' };
  const withCertificate = (pem: string): Part => ({
    'client-certificate-data': base64(pem),
    'client-key-data': base64(key),
  });

  it('stays with a renewed token, and a certificate of the same subject', () => {
    expect(identityOf(read({ token: 'one' }))).toBe(identityOf(read({ token: 'two' })));
    const renewed = certificate.trimEnd().concat('\n\n');
    expect(identityOf(read(withCertificate(certificate)))).toBe(identityOf(read(withCertificate(renewed))));
  });

  it.each<[string, Part, Part]>([
    ['server', {}, { server: 'https://other.test' }],
    ['certificate authority', {}, { 'certificate-authority-data': base64(authority) }],
    ['server name', {}, { 'tls-server-name': 'other' }],
    ['verification', {}, { 'insecure-skip-tls-verify': true }],
    ['proxy', {}, { 'proxy-url': 'http://proxy.test' }],
    ['kind of credentials', { tokenFile: '/token' }, {}],
    ['subject', withCertificate(authority), {}],
    ['plugin', { exec }, {}],
    ['plugin’s arguments', { exec: { ...exec, args: ['x'] } }, {}],
    ['impersonation', { as: 'bob' }, {}],
    ['user name', { username: 'bob' }, {}],
  ])('changes with the %s', (_, user, cluster) => {
    const others = [{ token: 'one' }, withCertificate(certificate), { exec: { ...exec, args: ['y'] } }];
    for (const other of others) expect(identityOf(read(user, cluster))).not.toBe(identityOf(read(other)));
  });
});
