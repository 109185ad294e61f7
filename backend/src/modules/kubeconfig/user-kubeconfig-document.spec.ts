import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { generatedKubeconfigs } from '../../../../test/support/kubernetes/generated-kubeconfigs.js';
import { recordedKubeconfigs } from '../../../../test/support/kubernetes/kubeconfig-corpus.js';
import {
  changeUserKubeconfig,
  readUserKubeconfig,
  type KubeconfigEdit,
  type KubeconfigEntry,
} from './user-kubeconfig-document.js';

const ENTRY: KubeconfigEntry = {
  name: 'kind-staging',
  server: 'https://127.0.0.1:37655',
  authority: 'T1VSUw==',
  user: { 'client-certificate-data': 'Q0VSVA==', 'client-key-data': 'S0VZ' },
};

/** Written by kubectl, with manual changes. */
const OTHERS = `# my clusters
apiVersion: v1
clusters:
- cluster:
    certificate-authority: /etc/work/ca.pem
    server: https://work.example.org:6443
  name: work # ask Ada
contexts:
# the one that pages
- context:
    cluster: work
    namespace: payments
    user: me@work
  name: work
current-context: work
extensions:
- name: mine
  extension: {kept: 'as it is', number: 31}
kind: Config
preferences: {}
users:
- name: me@work
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: aws
      args:
      - --region
      - "eu-1"
`;

const INDENTED = `kind: Config
clusters:
  - name: a
    cluster:
      server: https://a:1
contexts:
  - name: a
    context:
      cluster: a
      user: a
users:
  - name: a
    user: {token: 'a'}
`;

const WIDE = `kind: Config
clusters:
    - name: a
      cluster:
          server: https://a:1
contexts:
    - name: a
      context:
          cluster: a
          user: a
users:
    - name: a
      user:
          token: a
`;

const ADDED = OTHERS.replace(
  '  name: work # ask Ada\n',
  `  name: work # ask Ada
- cluster:
    certificate-authority-data: T1VSUw==
    server: https://127.0.0.1:37655
  name: kind-staging
`,
).replace(
  '  name: work\ncurrent',
  `  name: work
- context:
    cluster: kind-staging
    user: kind-staging
  name: kind-staging
current`,
).concat(`- name: kind-staging
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
`);

function changed(text: string, ...edits: KubeconfigEdit[]): string {
  return changeUserKubeconfig(text, edits);
}

function put(text: string, change: Partial<KubeconfigEntry> = {}, current = false): string {
  const entry = { ...ENTRY, ...change };
  return changed(
    text,
    { type: 'put', entry },
    ...(current ? [{ type: 'use', context: entry.name } as const] : []),
  );
}

function jsonIn(text: string): unknown {
  return JSON.parse(text);
}

function removed(text: string, context = ENTRY.name): string {
  return changed(text, { type: 'remove', context }, { type: 'leave', context });
}

describe('changeUserKubeconfig: put', () => {
  it('appends to each list and changes nothing else', () => {
    expect(put(OTHERS)).toBe(ADDED);
  });

  it.each([
    ['nothing', ''],
    ['an empty line', '\n'],
    ['null', 'null\n'],
    ['a comment', '# mine\n'],
    ['an empty document', '---\n'],
    [
      'empty lists',
      'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\ncurrent-context: ""\n',
    ],
    ['lists without a value', 'apiVersion: v1\nkind: Config\nclusters:\ncontexts: null\nusers: ~\n'],
    ['no lists, without a last line break', 'apiVersion: v1\nkind: Config'],
    ['no lists', 'apiVersion: v1\nkind: Config\n'],
    ['JSON', '{"apiVersion":"v1","kind":"Config","clusters":[],"contexts":[],"users":[]}'],
  ])('creates a complete kubeconfig from %s', (_what, text) => {
    const made = put(text, {}, true);
    expect(parse(made)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'kind-staging',
      clusters: [
        {
          name: 'kind-staging',
          cluster: { server: ENTRY.server, 'certificate-authority-data': ENTRY.authority },
        },
      ],
      contexts: [{ name: 'kind-staging', context: { cluster: 'kind-staging', user: 'kind-staging' } }],
      users: [{ name: 'kind-staging', user: ENTRY.user }],
    });
    if (text.startsWith('#')) expect(made.startsWith('# mine\n')).toBe(true);
  });

  it('updates an entry in place and keeps its other fields', () => {
    const mine = ADDED.replace('user: kind-staging\n', 'user: kind-staging\n    namespace: dev\n').replace(
      '    server: https://127.0.0.1:37655\n',
      '    server: https://127.0.0.1:37655\n    proxy-url: socks5://localhost:1080\n    insecure-skip-tls-verify: true\n',
    );
    const renewed = parse(put(mine, { server: 'https://127.0.0.1:40000', authority: 'TkVX' })) as {
      clusters: object[];
      contexts: object[];
      users: object[];
    };
    expect([renewed.clusters.length, renewed.contexts.length, renewed.users.length]).toEqual([2, 2, 2]);
    expect(renewed.clusters[1]).toEqual({
      name: 'kind-staging',
      cluster: {
        'certificate-authority-data': 'TkVX',
        server: 'https://127.0.0.1:40000',
        'proxy-url': 'socks5://localhost:1080',
      },
    });
    expect(renewed.contexts[1]).toEqual({
      name: 'kind-staging',
      context: { cluster: 'kind-staging', user: 'kind-staging', namespace: 'dev' },
    });
  });

  it('updates a cluster that the user renamed', () => {
    const text = ADDED.replace('name: kind-staging\ncontexts', 'name: mine\ncontexts').replace(
      'cluster: kind-staging\n',
      'cluster: mine\n',
    );
    const names = (parse(put(text)) as { clusters: { name: string }[] }).clusters.map(({ name }) => name);
    expect(names).toEqual(['work', 'mine']);
  });

  it('keeps the current context', () => {
    expect(readUserKubeconfig(put(OTHERS)).currentContext).toBe('work');
    expect(put(OTHERS, {}, true)).toContain('\ncurrent-context: kind-staging\n');
  });
});

describe('changeUserKubeconfig: remove', () => {
  it('restores the file from before put', () => {
    expect(removed(ADDED)).toBe(OTHERS);
  });

  it('keeps a cluster and a user that another context uses', () => {
    const shared = ADDED.replace(
      'current-context',
      '- context:\n    cluster: kind-staging\n    user: kind-staging\n    namespace: dev\n  name: dev\ncurrent-context',
    );
    const view = readUserKubeconfig(removed(shared));
    expect(view.contexts.map(({ name }) => name)).toEqual(['work', 'dev']);
    expect(view.contexts[1]?.authority).toBe(ENTRY.authority);
    expect(view.names).toContain('kind-staging');
  });

  it('changes nothing if the entry does not exist', () => {
    const text = 'clusters: []\nkind: Config\n';
    expect(removed(text)).toBe(text);
  });

  it.each([
    ['', 'apiVersion: v1\nkind: Config\ncurrent-context: ""\n'],
    ['# mine', '# mine\napiVersion: v1\nkind: Config\ncurrent-context: ""\n'],
    [
      'kind: Config\nusers: ~\nclusters: # none\n',
      'kind: Config\ncurrent-context: ""\nusers: null\nclusters: null # none\n',
    ],
    [
      '{"kind": "Config"}',
      '{"current-context": "", "clusters": null, "contexts": null, "users": null, "kind": "Config"}',
    ],
    ["kind: Config\ncurrent-context: ''\n", 'kind: Config\ncurrent-context: ""\n'],
  ])('leaves what means the same as %j', (text, left) => {
    expect(removed(put(text, {}, true))).toBe(left);
    expect(removed(put(left, {}, true))).toBe(left);
  });

  it.each([
    '{"kind":"Config","clusters":null,"users":[],"contexts":null,"current-context":""}',
    'kind: Config\n',
    'users: []\nclusters: null',
  ])('restores %j, whichever of two entries is removed first', (text) => {
    const both = put(put(text), { name: 'kind-other' });
    expect(removed(removed(both), 'kind-other')).toBe(text);
    expect(removed(removed(both, 'kind-other'))).toBe(text);
  });

  it('keeps comments of the only entry', () => {
    const text =
      'contexts: # mine\n# begin\n- context: {cluster: kind-staging}\n  name: kind-staging\n# end\n';
    expect(removed(text)).toBe('# mine\n# begin\n# end\n');
  });
});

describe('changeUserKubeconfig', () => {
  it.each([
    ['kubectl', OTHERS],
    ['an editor that indents lists', INDENTED],
    ['an editor with four columns', WIDE],
    ['an editor that pads brackets', INDENTED.replace("{token: 'a'}", "{ token: 'a' }")],
    ['a program that writes JSON', '{ "kind": "Config", "clusters": [], "contexts": [], "users": [] }\n'],
  ])('keeps the style of %s', (_who, text) => {
    const added = put(text);
    expect(parse(added)).toMatchObject({
      contexts: expect.arrayContaining([expect.objectContaining({ name: ENTRY.name })]) as unknown,
    });
    expect(removed(added)).toBe(text);
  });

  it('uses the style of kubectl for a new file', () => {
    expect(put('')).toContain('\nclusters:\n- cluster:\n    certificate-authority-data: T1VSUw==\n');
  });

  it.each(['closing marker', 'file of a team', 'JSON with nulls', 'CRLF and BOM', 'every field'])(
    'restores a recorded file after put, another put and remove: %s',
    (name) => {
      const { text = '' } = recordedKubeconfigs().results.find((result) => result.name === name) ?? {};
      const again = put(put(text), { server: 'https://127.0.0.1:40000', user: { token: 'a' } });
      expect(again).not.toBe(text);
      expect(removed(again)).toBe(text);
    },
  );

  it('restores generated kubeconfigs of many styles, and writes sections without a value as null', () => {
    const withNulls = (text: string): string =>
      text.replace(/^(\ufeff?(?:clusters|contexts|users)): *(?:~|null)? *(?=\r?$|#)/gm, '$1: null ');
    for (const text of generatedKubeconfigs(150)) {
      for (const current of [false, /current-context"?: *""/.test(text)]) {
        const merged = put(text, {}, current);
        if (text.startsWith('{')) expect(jsonIn(merged)).toBeDefined();
        expect(withNulls(removed(merged))).toBe(withNulls(text));
      }
    }
  });

  it('restores a cluster with an anchor, and does not change one that another entry repeats', () => {
    const anchored = OTHERS.replace('- cluster:\n', '- cluster: &work\n').replace(
      'contexts:\n',
      '- cluster: *work\n  name: kind-staging\ncontexts:\n',
    );
    expect(removed(put(anchored, { name: 'kind-other' }), 'kind-other')).toBe(anchored);
    expect(parse(put(anchored))).toMatchObject({
      clusters: [
        { cluster: { server: 'https://work.example.org:6443' } },
        { cluster: { server: ENTRY.server } },
      ],
    });
    const repeated = ADDED.replace(
      '- cluster:\n    certificate-authority-data',
      '- cluster: &own\n    certificate-authority-data',
    ).replace('contexts:\n', '- cluster: *own\n  name: again\ncontexts:\n');
    expect(() => removed(repeated)).toThrow('has an alias');
    expect(() => put(repeated, { server: 'https://127.0.0.1:1' })).toThrow('cannot be changed safely');
  });

  it('keeps CRLF line ends', () => {
    const text = put(OTHERS.replaceAll('\n', '\r\n'));
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text.replaceAll('\r\n', '\n')).toBe(put(OTHERS));
  });

  it('keeps indented lists and a byte order mark', () => {
    const indented = '\ufeffkind: Config\nclusters:\n  - name: a\n    cluster:\n      server: https://a:1\n';
    const text = put(indented);
    expect(text).toMatch(/^\ufeffkind: Config\ncontexts:\n {2}- context:\n/);
    expect(text).toContain(indented.slice('\ufeffkind: Config'.length));
    expect(removed(text)).toBe(indented);
  });

  it('keeps long values on one line, anchors, and quotes', () => {
    const long = 'x'.repeat(5000);
    const text = `kind: Config\nusers:\n- name: "a"\n  user: &mine\n    token: ${long}\n    note: ${'word '.repeat(60)}end\n- name: 'b'\n  user: *mine\n`;
    expect(put(text)).toContain(text.slice('kind: Config'.length));
    expect(removed(put(text))).toBe(text);
  });
});

describe('readUserKubeconfig: names', () => {
  const view = readUserKubeconfig(OTHERS);

  it.each(['work', 'me@work'])('contains %s, which a context has or refers to', (name) => {
    expect(view.names).toContain(name);
  });

  it('omits entries without a context, as after kubectl config delete-context', () => {
    const left = readUserKubeconfig(ADDED.replace(/- context:\n {4}cluster: kind-staging\n.*\n.*\n/, ''));
    expect(left.names).not.toContain('kind-staging');
    expect(view.names).not.toContain('kind-other');
  });
});
