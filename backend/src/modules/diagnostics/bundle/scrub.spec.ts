import { describe, expect, it } from '@jest/globals';
import { scrub, scrubRecord, withoutSecretValues } from './scrub.js';

const owner = { home: '/home/jane.doe', user: 'jane.doe' };

describe('scrub', () => {
  it.each([
    ['  token: canary-1', 'canary-1'],
    ['token: "canary-1" # of mine', 'canary-1'],
    ["- password: 'canary-1'", 'canary-1'],
    ['  registryAuth = "canary-1"', 'canary-1'],
    ['  identitytoken = "canary-1"', 'canary-1'],
    ['"client-key-data": "canary-1",', 'canary-1'],
    ['  certificate-authority-data: canary-1', 'canary-1'],
    ['aws.secret: canary-1', 'canary-1'],
    ['API_KEY=canary-1', 'canary-1'],
    ['secret: |\n  canary-1\n\n  canary-2\nnext: 1', 'canary'],
    ['secret: >-\n    canary-1\n    canary-2', 'canary'],
    ['password: canary-1\n  canary-2', 'canary'],
    ['pull from https://canary-1@registry.test/v2/', 'canary-1'],
    ['pull from https://me:canary-1@registry.test/v2/', 'canary-1'],
    ['push with ghp_canary1234567890', 'canary'],
    ['Authorization: Basic Y2FuYXJ5LTE=', 'Y2FuYXJ5'],
    ['-----BEGIN PRIVATE KEY-----\ncanary-1\n-----END PRIVATE KEY-----', 'canary-1'],
    ['mounts /home/jane.doe/work', 'jane'],
    ['cannot open /Users/jane.doe: no', 'jane'],
  ])('removes the secret from %j', (text, secret) => {
    expect(scrub(text, owner)).not.toContain(secret);
  });

  it.each([
    'kind: Cluster\nnodes:\n  - role: worker\n',
    'token: ""',
    'secret:\nname: x',
    'the token of the job is missing',
    'author: jane',
    'docker.io/kindest/node:v1.34.4',
    'cpu 12 % of /run/user/1000',
  ])('keeps %j', (text) => {
    expect(scrub(text, owner)).toBe(text);
  });

  it('continues after a multi-line secret', () => {
    expect(scrub('a:\n  secret: |\n    canary\n  name: b\n', owner)).toBe(
      'a:\n  secret: [removed]\n    [removed]\n  name: b\n',
    );
    expect(withoutSecretValues(['x: 1', 'token: a', ' b', 'y: 2'])).toHaveLength(4);
  });

  it('replaces the home directory', () => {
    expect(scrub('/home/jane.doe/.kube/config and /home/jane.doe2', owner)).toContain('~/.kube/config');
    expect(scrub('/root/x', { home: '/root', user: 'root' })).toBe('/root/x');
  });
});

describe('scrubRecord', () => {
  it('scrubs all nested strings and keys', () => {
    const record = scrubRecord(
      {
        a: [{ token: 'canary', count: 4, none: null, text: 'x\n  password: canary\ny' }],
        auth: { name: 'b' },
      },
      owner,
    );
    expect(record).toEqual({
      a: [{ token: '[removed]', count: 4, none: null, text: 'x\n  password: [removed]\ny' }],
      auth: { name: 'b' },
    });
  });
});
