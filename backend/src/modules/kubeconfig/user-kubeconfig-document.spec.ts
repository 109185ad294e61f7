import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  UnusableKubeconfig,
  UserKubeconfigDocument,
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

function put(text: string, change: Partial<KubeconfigEntry> = {}, current = false): string {
  const document = UserKubeconfigDocument.parse(text);
  document.put({ ...ENTRY, ...change });
  if (current) document.setCurrentContext(change.name ?? ENTRY.name);
  return document.toString();
}

function removed(text: string, name = ENTRY.name): string {
  const document = UserKubeconfigDocument.parse(text);
  document.remove(name);
  return document.toString();
}

describe('UserKubeconfigDocument.put', () => {
  it('appends to each list and changes nothing else', () => {
    expect(put(OTHERS)).toBe(ADDED);
  });

  it('accepts a closing ---', () => {
    expect(put(`${OTHERS}---\n`)).toBe(ADDED);
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
    expect(UserKubeconfigDocument.parse(put(OTHERS)).currentContext).toBe('work');
    expect(put(OTHERS, {}, true)).toContain('\ncurrent-context: kind-staging\n');
  });
});

describe('UserKubeconfigDocument.remove', () => {
  it('restores the file from before put', () => {
    expect(removed(ADDED)).toBe(OTHERS);
  });

  it('keeps a cluster and a user that another context uses', () => {
    const shared = ADDED.replace(
      'current-context',
      '- context:\n    cluster: kind-staging\n    user: kind-staging\n    namespace: dev\n  name: dev\ncurrent-context',
    );
    const document = UserKubeconfigDocument.parse(removed(shared));
    expect(document.contexts.map(({ name }) => name)).toEqual(['work', 'dev']);
    expect(document.contexts[1]?.authority).toBe(ENTRY.authority);
    expect(document.names).toContain('kind-staging');
  });

  it('changes nothing if the entry does not exist', () => {
    const text = 'clusters: []\nkind: Config\n';
    expect(removed(text)).toBe(text);
  });

  it('keeps empty lists', () => {
    expect(parse(removed(put('')))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [],
      contexts: [],
      users: [],
      'current-context': '',
    });
  });
});

describe('UserKubeconfigDocument.toString', () => {
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

  it('keeps CRLF line ends', () => {
    const text = put(OTHERS.replaceAll('\n', '\r\n'));
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text.replaceAll('\r\n', '\n')).toBe(put(OTHERS));
  });

  it('keeps indented lists and a byte order mark', () => {
    const indented = '\ufeffkind: Config\nclusters:\n  - name: a\n    cluster:\n      server: https://a:1\n';
    const text = put(indented);
    expect(text.startsWith(indented)).toBe(true);
    expect(text).toContain('\ncontexts:\n  - context:\n');
  });

  it('keeps long values on one line, anchors, and quotes', () => {
    const long = 'x'.repeat(5000);
    const text = `kind: Config\nusers:\n- name: "a"\n  user: &mine\n    token: ${long}\n    note: ${'word '.repeat(60)}end\n- name: 'b'\n  user: *mine\n`;
    expect(put(text).startsWith(text)).toBe(true);
  });
});

describe('UserKubeconfigDocument.names', () => {
  const document = UserKubeconfigDocument.parse(OTHERS);

  it.each(['work', 'me@work'])('contains %s, which a context has or refers to', (name) => {
    expect(document.names).toContain(name);
  });

  it('omits entries without a context, as after kubectl config delete-context', () => {
    const left = UserKubeconfigDocument.parse(
      ADDED.replace(/- context:\n {4}cluster: kind-staging\n.*\n.*\n/, ''),
    );
    expect(left.names).not.toContain('kind-staging');
    expect(document.names).not.toContain('kind-other');
  });
});

describe('UserKubeconfigDocument.parse', () => {
  const SECRET = 'c2VjcmV0LWtleQ';
  const cases: [what: string, text: string, reason: string | RegExp][] = [
    [
      'a wrong indentation',
      `kind: Config\nusers: [\n- name: ${SECRET}\n`,
      /^line \d has a wrong indentation$/,
    ],
    ['an unclosed quote', `kind: Config\nusers:\n- name: "${SECRET}\n`, /^line \d/],
    [
      'a duplicate key',
      `kind: Config\nclusters: []\n${SECRET}: 1\n${SECRET}: 2\n`,
      'line 4 has a duplicate key',
    ],
    ['a tab', `kind: Config\nusers:\n\t- name: ${SECRET}\n`, /^line 3 /],
    [
      'a second document',
      `kind: Config\n---\nkind: Config\n# ${SECRET}\n`,
      'line 2 begins a second document',
    ],
    ['a list', `- ${SECRET}\n`, 'it is not a kubeconfig'],
    ['a scalar', SECRET, 'it is not a kubeconfig'],
    ['another kind', `kind: Secret\ndata: {x: ${SECRET}}\n`, 'it is not a kubeconfig'],
    ['a map in place of a list', `kind: Config\nusers: {${SECRET}: 1}\n`, 'users is not a list'],
    ['entries without a name', `kind: Config\nusers: [${SECRET}]\n`, 'users is not a list of named entries'],
    ['binary data', `kind: Config\n# ${SECRET} \ufffd\n`, 'it is not UTF-8'],
    ['deep nesting', `kind: Config\nx: ${'['.repeat(6000)}`, 'line 2 nests too deeply'],
    [
      'an alias bomb',
      `kind: Config\na: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n`,
      /line 7 has an alias/,
    ],
    ['an undefined alias', `kind: Config\nusers: *${SECRET}\n`, 'line 2 has an alias'],
  ];

  it.each(cases)('rejects %s with the line and without the text', (_what, text, reason) => {
    const read = (): string => put(text);
    expect(read).toThrow(UnusableKubeconfig);
    expect(read).toThrow(reason);
    expect(read).not.toThrow(SECRET);
  });
});
