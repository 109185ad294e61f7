import { describe, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { kialiPaths, MASKED_KEY, preparedValues, shownKialiValues } from './kiali-values.js';

describe('preparedValues for Kiali', () => {
  const KEY = '0123456789abcdef0123456789abcdef';
  const anonymous = (text: string, place: string[] = []): unknown =>
    parseYaml(preparedValues(text, [place], KEY));

  it.each([
    '',
    'auth:\n  strategy: anonymous\n',
    'auth: {}\n',
    'auth:\n',
    `login_token:\n  signing_key: ${MASKED_KEY}\n`,
  ])('disables the sign-in, sets the signing key and view-only mode for %j', (text) => {
    expect(anonymous(text)).toMatchObject({
      auth: { strategy: 'anonymous' },
      login_token: { signing_key: KEY },
      deployment: { view_only_mode: true },
    });
  });

  it('keeps other values, including passwords for external services', () => {
    const text =
      'deployment:\n  replicas: 2\n  view_only_mode: false\nexternal_services:\n  grafana:\n    auth: { type: basic, username: u, password: p }\n';
    expect(anonymous(text)).toEqual({
      auth: { strategy: 'anonymous' },
      login_token: { signing_key: KEY },
      deployment: { replicas: 2, view_only_mode: false },
      external_services: { grafana: { auth: { type: 'basic', username: 'u', password: 'p' } } },
    });
  });

  it.each([
    ['auth:\n  strategy: token\n', 'auth.strategy'],
    ['auth: { strategy: Anonymous }\n', 'auth.strategy'],
    ['auth:\n  strategy: [anonymous]\n', 'auth.strategy'],
    ['auth:\n  strategy: anonymous\n  openid: { client_id: x }\n', 'auth.openid'],
    ['auth: openid\n', 'auth'],
    ['Auth:\n  strategy: token\n', 'Auth'],
    ['AUTH: { strategy: anonymous }\n', 'AUTH'],
    ['auth.strategy: token\n', 'auth.strategy'],
    ['login:\n  user: me\n', 'login'],
    ['deployment:\n  passphrase: x\n', 'deployment.passphrase'],
    ['credentials: { username: a, passphrase: b }\n', 'credentials'],
    ['server:\n  pass_word: x\n', 'server.pass_word'],
    ['login_token:\n  signing_key: mine\n', 'login_token.signing_key'],
    ['a: &a { strategy: token }\nauth: *a\n', 'auth.strategy'],
    ['a: &a { strategy: token }\nauth:\n  <<: *a\n', 'auth.strategy'],
  ])('rejects %j', (text, path) => {
    expect(() => anonymous(text)).toThrow(
      expect.objectContaining({ code: 'values_refused', details: [expect.objectContaining({ path })] }),
    );
  });

  it('finds the values in kiali-server, kiali-operator and charts that depend on them', () => {
    expect(kialiPaths({ name: 'kiali-server', dependencies: [] })).toEqual([[]]);
    expect(kialiPaths({ name: 'mesh', dependencies: ['kiali-server'] })).toEqual([['kiali-server']]);
    expect(kialiPaths({ name: 'traefik', dependencies: [] })).toEqual([]);
    expect(anonymous('', ['cr', 'spec'])).toMatchObject({
      cr: { spec: { auth: { strategy: 'anonymous' } } },
    });
    expect(() => anonymous('cr:\n  spec:\n    auth: { strategy: token }\n', ['cr', 'spec'])).toThrow(
      'cr.spec.auth.strategy',
    );
  });

  it('masks the signing key', () => {
    const text = shownKialiValues(preparedValues('', [[]], KEY), []);
    expect(text).not.toContain(KEY);
    expect(parseYaml(text)).toMatchObject({ login_token: { signing_key: MASKED_KEY } });
  });
});
