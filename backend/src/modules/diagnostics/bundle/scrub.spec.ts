import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../../test/support/cpu-time.js';
import { scrub, scrubConfig, scrubLines, scrubLog, scrubRecord } from './scrub.js';

const owner = { home: '/home/jane.doe', user: 'jane.doe' };
const patch = (text: string): string =>
  `kind: Cluster\nkubeadmConfigPatches:\n  - |\n    ${text.replaceAll('\n', '\n    ')}\n`;
const toml = (text: string): string =>
  `kind: Cluster\ncontainerdConfigPatches:\n  - |-\n    ${text.replaceAll('\n', '\n    ')}\n`;

/** Notations of secrets in configs, which may be quoted in logs too. */
const SECRETS: readonly string[] = [
  '  token: canary-1',
  'token: "canary-1" # of mine',
  "- password: 'canary-1'",
  '  registryAuth = "canary-1"',
  '"client-key-data": "canary-1",',
  '  certificate-authority-data: canary-1',
  'aws.secret: canary-1',
  'API_KEY=canary-1',
  'secret: |\n  canary-1\n\n  canary-2\nnext: 1',
  'secret: >-\n    canary-1\n    canary-2',
  'password: canary-1\n  canary-2',
  'password: correct canary battery',
  '- name: DB_PASSWORD\n  value: canary-1',
  '- name: oidc-client-secret\n  value: two canary words',
  '{"auths":{"ghcr.io":{"auth":"canary-1"}}}',
  'wrote {"auths":{"ghcr.io":{"auth":"canary-1"}}} to a file',
  'Authorization = ["Basic canary-1"]',
  'X-JFrog-Art-Api = "canary-1"',
  '[{"op":"add","path":"/spec/password","value":"canary-1"}]',
  '- op: add\n  path: /spec/password\n  value: canary-1',
  'helm install --password canary-1 x',
  'helm install --password=canary-1 x',
  'args: ["--password", "canary-1"]',
  'args:\n  - --password\n  - canary-1',
  '"--password",\n"canary-1"',
  'curl -u me:canary-1 https://x.test',
  'pass: canary-1',
  'secret_access_key: canary-1',
  'aws_secret_access_key = canary-1',
  'export DB_DSN=canary-1',
  "the response was: { token: 'canary-1' }",
];

describe('scrub', () => {
  it.each([
    ...SECRETS,
    'pull from https://canary-1@registry.test/v2/',
    'pull from https://me:canary-1@registry.test/v2/',
    'push with ghp_canary1234567890',
    '[init] env [{"pw":"canary-1"}]',
    '[init] env [{"name":"DB_DSN","value":"canary-1"}',
    'env: [{name: DB_DSN, value: canary-1}]',
    'the body was {\\"password\\":\\"canary-1\\"}',
    'Cmd:["--password","canary-1"',
    "helm install --password 'canary 1 canary' x",
    "export DB_DSN='canary canary'",
    'pull from https://registry.test/blob?sig=canary-1&se=canary-2',
    'Authorization: Basic canary',
    '-----BEGIN PRIVATE KEY-----\ncanary-1\n-----END PRIVATE KEY-----',
  ])('removes the secret from the log %j', (text) => {
    const clean = scrub(text, owner);
    expect(clean).not.toContain('canary');
    expect(clean).toMatch(/<(?:text|list|map), \d+ |removed\]/);
    expect(scrub(clean, owner).split('\n')).toHaveLength(clean.split('\n').length);
  });

  it.each([
    'kind: Cluster\nnodes:\n  - role: worker\n',
    'token: ""',
    'secret:\nname: x',
    'the token of the job is missing',
    'docker.io/kindest/node:v1.34.4',
    'cpu 12 % of /run/user/1000',
    'ERROR: failed to create cluster: could not find a log line that matches',
    '2026-11-21T09:40:48.102Z output Preparing nodes 📦',
    'kind create cluster --name shop --image kindest/node:v1.34.4 --wait 60s',
    "kind create cluster --name 'shop' --wait 60s",
    'GET https://registry.test/v2/a/manifests/1?namespace=docker.io',
  ])('keeps the log %j', (text) => {
    expect(scrub(text, owner)).toBe(text);
  });

  it('removes names of the user', () => {
    expect(scrub('mounts /home/jane.doe/work', owner)).toBe('mounts ~/work');
    expect(scrub('cannot open /Users/jane.doe: no', owner)).not.toContain('jane');
    expect(scrub('/root/x', { home: '/root', user: 'root' })).toBe('/root/x');
  });

  it('continues after a multi-line secret, and keeps the number of lines', () => {
    expect(scrub('a:\n  secret: |\n    canary\n  name: b\n', owner)).toBe(
      'a:\n  secret: |\n    <text, 6 characters>\n  name: b\n',
    );
    const key = ['-----BEGIN A KEY-----', 'canary', '-----END A KEY-----'];
    const lines = scrubLines(['x: 1', 'token: a', ' canary', ...key, 'then y'], owner);
    expect(lines).toHaveLength(7);
    expect(lines.join()).not.toContain('canary');
    expect(lines.at(-1)).toBe('then y');
  });

  it('scrubs hostile texts in linear time', () => {
    const texts = [
      '-a '.repeat(100_000),
      '-a "'.repeat(75_000),
      `-a '${'-a "'.repeat(75_000)}`,
      'a='.repeat(150_000),
      '{'.repeat(300_000),
      'x: y\n'.repeat(60_000),
    ];
    for (const text of texts) expect(cpuTimeOf(() => scrub(text, owner))).toBeLessThan(2000);
  });
});

describe('scrubConfig', () => {
  it.each([
    ...SECRETS,
    ...SECRETS.map(patch),
    ...SECRETS.map(toml),
    ...SECRETS.map((text) => `kind: Cluster\nnodes:\n  - role: [\n${text}`),
    toml('[plugins."x".registry.configs."r.test".auth]\n  username = "canary"\n  identitytoken = "canary-1"'),
    patch('kind: InitConfiguration\nbootstrapTokens:\n  - token: canary'),
    'kind: Cluster\nunknown: canary',
    'kind: Cluster\nnodes: [{role: worker, labels: {pw: canary}}]',
    'kind: Cluster\nnodes: [{image: "x:y@canaryCanary0123456789canaryCanary0123456789"}]',
  ])('keeps no unknown value of %j', (text) => {
    expect(scrubConfig(text, owner)).not.toContain('canary');
  });

  it('keeps images, roles, ports, subnets, feature gates and versions', () => {
    const config = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
featureGates:
  SidecarContainers: true
networking:
  podSubnet: 10.244.0.0/16
  ipFamily: dual
nodes:
  - role: control-plane
    image: kindest/node:v1.34.4@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    extraPortMappings:
      - containerPort: 80
        hostPort: 8080
`;
    expect(scrubConfig(config, owner)).toBe(config);
  });

  it('keeps the keys, and replaces values by type and length', () => {
    const config = patch(
      'kind: ClusterConfiguration\napiServer:\n  extraArgs:\n    - name: v\n      value: "4"\n    - name: x\n      value: abc\ncount2: 12',
    );
    const clean = scrubConfig(config, owner);
    expect(clean).toContain('value: "4"');
    expect(clean).toContain('value: <text, 3 characters>');
    expect(clean).toContain('count2: <number>');
  });

  it('keeps the tables and harmless keys of TOML', () => {
    const clean = scrubConfig(
      toml(
        '[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = "registry.k8s.io/pause:3.10"\n  SystemdCgroup = true\n  x = 5',
      ),
      owner,
    );
    expect(clean).toContain('[plugins."io.containerd.grpc.v1.cri"]');
    expect(clean).toContain('sandbox_image = "registry.k8s.io/pause:3.10"');
    expect(clean).toContain('SystemdCgroup = true');
    expect(clean).toContain('x = <text, 1 characters>');
  });

  it('describes a text that is no config', () => {
    expect(scrubConfig('canary', owner)).toBe('<text, 6 characters>');
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
      a: [{ token: '<text, 6 characters>', count: 4, none: null, text: 'x\n  password: [removed]\ny' }],
      auth: { name: 'b' },
    });
  });
});

describe('scrubLog', () => {
  it('keeps entries as JSON, without secrets in their texts', () => {
    const entry = { level: 'info', msg: 'ran helm --password canary x', ms: 5 };
    expect(JSON.parse(scrubLog(JSON.stringify(entry), owner))).toEqual({
      level: 'info',
      msg: 'ran helm --password <text, 6 characters> x',
      ms: 5,
    });
  });
});
