import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRoles, imagesOf, type KindConfig } from './kind-config.js';
import { parseKindConfig } from './parse-kind-config.js';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

function read(text: string): KindConfig {
  const { parsed, problems } = parseKindConfig(HEAD + text);
  if (!parsed) throw new Error(JSON.stringify(problems));
  return parsed.config;
}

const problemsOf = (text: string): string[] =>
  parseKindConfig(text).problems.map(({ line, path, problem }) => `${line} ${path || '-'} ${problem}`);

describe('parseKindConfig', () => {
  it('accepts all fields of kind', () => {
    const config = read(`
name: whole
featureGates: { UserNamespacesSupport: true }
runtimeConfig: { "api/alpha": "false" }
networking:
  ipFamily: dual
  apiServerAddress: 127.0.0.1
  apiServerPort: 6443
  podSubnet: 10.244.0.0/16,fd00:10:244::/56
  serviceSubnet: 10.96.0.0/16,fd00:10:96::/112
  disableDefaultCNI: true
  kubeProxyMode: nftables
  dnsSearch: [example.test]
kubeadmConfigPatches: ["kind: ClusterConfiguration"]
kubeadmConfigPatchesJSON6902: [{ group: kubeadm.k8s.io, version: v1beta3, kind: ClusterConfiguration, patch: "[]" }]
containerdConfigPatches: ["[plugins]"]
nodes:
- role: control-plane
  image: kindest/node:v1.34.4@sha256:${'a'.repeat(64)}
  labels: { tier: front }
  extraMounts: [{ hostPath: /a, containerPath: /b, readOnly: true, selinuxRelabel: false, propagation: HostToContainer }]
  extraPortMappings: [{ containerPort: 80, hostPort: 8080, listenAddress: "127.0.0.1", protocol: TCP }]
- role: worker
`);
    expect(countRoles(config)).toEqual({ controlPlanes: 1, workers: 1 });
    expect(imagesOf(config)).toHaveLength(1);
  });

  it('assumes one control plane if the config has no nodes', () => {
    expect(countRoles(read(''))).toEqual({ controlPlanes: 1, workers: 0 });
    expect(countRoles(read('nodes: []'))).toEqual({ controlPlanes: 1, workers: 0 });
  });

  it.each<[string, string[]]>([
    ['', ['1 - must be a map']],
    ['kind: Cluster', ['1 - must have apiVersion']],
    ['kind: Pod\napiVersion: v1', ['1 kind must be Cluster', '2 apiVersion must be kind.x-k8s.io/v1alpha4']],
    [`${HEAD}Nodes: []`, ['3 Nodes is an unknown field; did you mean nodes?']],
    [
      `${HEAD}nodes:\n- role: boss\n- role: worker\n  replicas: 3`,
      ['4 nodes[0].role must be one of control-plane, worker', '6 nodes[1].replicas is an unknown field'],
    ],
    [
      `${HEAD}nodes:\n- role: control-plane\n  extraMounts: [{ hostPath: /a }]`,
      ['5 nodes[0].extraMounts[0] must have containerPath'],
    ],
    [
      `${HEAD}nodes:\n- role: worker`,
      ['4 nodes has no control plane; at least one node must have the role control-plane'],
    ],
    [
      `${HEAD}networking: { apiServerAddress: here }`,
      ['3 networking.apiServerAddress "here" is not an IP address'],
    ],
    [
      `${HEAD}networking: { podSubnet: 10.0.0.0 }`,
      ['3 networking.podSubnet "10.0.0.0" is not a subnet such as 10.244.0.0/16'],
    ],
    [
      `${HEAD}networking: { podSubnet: "fd00::/56" }`,
      ['3 networking.podSubnet must be of the IP family ipv4'],
    ],
    [
      `${HEAD}networking: { podSubnet: "10.0.0.0/8,11.0.0.0/8" }`,
      ['3 networking.podSubnet must be a single subnet unless ipFamily is dual'],
    ],
    [
      `${HEAD}networking: { ipFamily: dual, podSubnet: "10.0.0.0/8,11.0.0.0/8" }`,
      ['3 networking.podSubnet must be one subnet, or one of each IP family'],
    ],
  ])('returns line, path and problem of %j', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it.each([
    '--help',
    '-v',
    'a/../../containers/x',
    '../x',
    '/x',
    'x//y',
    'x/',
    'x:',
    'x@sha256:0',
    'x y',
    'http://x/y',
    `x:${'1'.repeat(129)}`,
    `${'a'.repeat(400)}:1 `.repeat(35),
  ])('rejects the image %j', (image) => {
    const problems = problemsOf(`${HEAD}nodes:\n- role: control-plane\n  image: ${JSON.stringify(image)}`);
    expect(problems).toContain(
      '5 nodes[0].image must be an image reference, such as docker.io/kindest/node:v1.34.4',
    );
  });

  it.each([
    'node',
    'kindest/node:v1.34.4',
    'registry.internal:5000/a/b__c--d.e:latest',
    `localhost/kindest/node:v1.34.4@sha256:${'a'.repeat(64)}`,
    `docker.io/kindest/node@sha256:${'0'.repeat(64)}`,
  ])('accepts the image %j', (image) => {
    expect(problemsOf(`${HEAD}nodes:\n- role: control-plane\n  image: ${image}`)).toEqual([]);
  });

  it('rejects duplicate host ports, also of overlapping addresses', () => {
    const ports = (entries: string): string =>
      `${HEAD}nodes:\n- role: control-plane\n  extraPortMappings: ${entries}\n`;
    expect(
      problemsOf(ports('[{ containerPort: 1, hostPort: 80 }, { containerPort: 2, hostPort: 80 }]')),
    ).toHaveLength(1);
    expect(
      problemsOf(
        ports(
          '[{ containerPort: 1, hostPort: 80, listenAddress: "127.0.0.1" }, { containerPort: 2, hostPort: 80, listenAddress: "0.0.0.0" }]',
        ),
      ),
    ).toHaveLength(1);
    expect(
      problemsOf(
        ports('[{ containerPort: 1, hostPort: 80 }, { containerPort: 2, hostPort: 80, protocol: UDP }]'),
      ),
    ).toEqual([]);
    // kind or the engine chooses these ports.
    expect(
      problemsOf(ports('[{ containerPort: 1, hostPort: 0 }, { containerPort: 2, hostPort: -1 }]')),
    ).toEqual([]);
  });

  it('rejects duplicate container paths of a node, also in different spellings', () => {
    const mounts = (...paths: string[]): string =>
      `- role: worker\n  extraMounts: [${paths.map((path) => `{ hostPath: /a, containerPath: "${path}" }`).join()}]\n`;
    const config = (...nodes: string[]): string => `${HEAD}nodes:\n- role: control-plane\n${nodes.join('')}`;
    expect(parseKindConfig(config(mounts('/code', '/data', '/code'))).problems).toMatchObject([
      {
        path: 'nodes[1].extraMounts[2].containerPath',
        problem: 'is already used by nodes[1].extraMounts[0]',
      },
    ]);
    expect(problemsOf(config(mounts('/code', '/code/', '//code', '/code/./', '/x/../code')))).toHaveLength(4);
    expect(problemsOf(config(mounts('/code', '/code/x', '/srv'), mounts('/code')))).toEqual([]);
  });

  it('rejects mounts over folders of kind and of the node, with their lines', () => {
    const mount = (containerPath: string, hostPath = '/a'): string =>
      `${HEAD}nodes:\n- role: control-plane\n  extraMounts:\n  - hostPath: '${hostPath}'\n    containerPath: '${containerPath}'\n`;
    const needed = 'is a mount point of kind; use another path, such as /data';
    for (const path of [
      '/var',
      '/var/',
      '//tmp',
      '/run',
      '/var/run',
      '/lib/modules',
      '/x/../usr/lib/modules',
    ]) {
      expect([path, parseKindConfig(mount(path)).problems]).toEqual([
        path,
        [{ path: 'nodes[0].extraMounts[0].containerPath', line: 7, column: 20, problem: needed }],
      ]);
    }
    for (const [path, problem] of [
      ['/', 'must not be the root folder'],
      ['/etc', 'is a system folder of the node'],
      ['/kind', 'is a system folder of the node'],
      ['/proc', 'is a kernel file system'],
      ['/proc/sys/net', 'is a kernel file system'],
      ['data', 'must be an absolute path'],
      ['/data:ro', 'must not contain a colon'],
    ] as const) {
      expect(problemsOf(mount(path))).toEqual([
        expect.stringContaining(`7 nodes[0].extraMounts[0].containerPath ${problem}`),
      ]);
    }
    expect(problemsOf(mount('/data', '/a:b'))).toEqual([
      expect.stringContaining('6 nodes[0].extraMounts[0].hostPath must not contain a colon'),
    ]);
    for (const [path, problem] of [
      ['./data', 'must be an absolute path, such as /home/me/data'],
      ['data', 'must be an absolute path, such as /home/me/data'],
      ['.', 'must be an absolute path, such as /home/me/data'],
      ['..', 'must be an absolute path, such as /home/me/data'],
      ['~/data', 'must be an absolute path, such as /home/me/data: kind does not expand ~'],
      ['/home/me/../../root', 'must not contain .. segments'],
    ] as const) {
      expect(problemsOf(mount('/data', path))).toEqual([
        expect.stringContaining(`6 nodes[0].extraMounts[0].hostPath ${problem}`),
      ]);
    }
    expect(parseKindConfig(mount('/data', '/own/x'), undefined, '/own').problems).toMatchObject([
      { line: 6, problem: expect.stringContaining('APP_DATA_DIR') },
    ]);
    for (const free of [
      '/var/lib/data',
      '/var/run/docker.sock',
      '/run/secrets',
      '/dev/mapper',
      '/etc/ssl/mine',
    ]) {
      expect([free, problemsOf(mount(free))]).toEqual([free, []]);
    }
  });

  it('returns contradictions together with the problems of the schema, without those that follow from them', () => {
    const many = readFileSync(
      join(__dirname, '../../../../test/fixtures/kind-configs/many-errors.yaml'),
      'utf8',
    );
    expect(problemsOf(many).sort()).toEqual([
      '10 nodes[2].extraPortMappings[0].containerPort must be a whole number',
      '10 nodes[2].extraPortMappings[0].hostPort must be <= 65535',
      '4 networking.ipFamilly is an unknown field',
      '4 networking.podSubnet "10.244.0.0" is not a subnet such as 10.244.0.0/16',
      '6 nodes[0].role must be one of control-plane, worker',
      '8 nodes[1].extraPortMapping is an unknown field',
    ]);
    expect(
      problemsOf(`${HEAD}nodes:\n- x\n- extraMounts: [{ hostPath: srv, containerPath: [] }]\n- 1`),
    ).toEqual([
      '4 nodes[0] must be a map',
      '5 nodes[1].extraMounts[0].hostPath must be an absolute path, such as /home/me/data',
      '5 nodes[1].extraMounts[0].containerPath must be text',
      '6 nodes[2] must be a map',
    ]);
    expect(problemsOf('[]')).toEqual(['1 - must be a map']);
  });

  it('warns about a second document, unless it is empty', () => {
    const warnings = (rest: string): string[] | undefined => parseKindConfig(HEAD + rest).parsed?.warnings;
    expect(warnings('---\nkind: Pod\n')).toEqual([
      'kind reads only the first document. It ignores the one that begins at line 3.',
    ]);
    expect(warnings('---\n---\n# none\n---\na: b: c\n')).toEqual([
      'kind reads only the first document. It ignores the one that begins at line 6.',
    ]);
    for (const rest of ['', '---', '---\n', '---\n---\n# none\n', '...\n']) {
      expect(warnings(rest)).toEqual([]);
    }
  });

  it('reports merged fields, aliases and missing maps at their places', () => {
    expect(
      problemsOf(`${HEAD}nodes:\n- &a { role: boss }\n- <<: *a\n- *a\n- <<: [*a, x]\n- <<: *a\n  <<: *a\n`),
    ).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => `4 nodes[${index}].role must be one of control-plane, worker`),
      '7 nodes[3].<< must be a map, or a list of maps',
      '9 nodes[4].<< is a second merge key',
    ]);
    // Nodes that are null do not count.
    expect(problemsOf(`${HEAD}nodes:\n- ~\n-\n- role: boss\n`)).toEqual([
      '6 nodes[0].role must be one of control-plane, worker',
    ]);
    expect(problemsOf(`${HEAD}nodes: [{ labels: { : x } }]`)).toEqual([
      '3 nodes[0].labels has a value without a key',
    ]);
    expect(problemsOf(`${HEAD}nodes:\n- &a.b { role: control-plane }\n`)).toEqual([
      '4 - has the anchor a.b, which kind reads otherwise',
    ]);
  });

  it.each([
    ['a tab in an empty line', 'nodes:\n \t\n- role: control-plane\n', 4],
    ['a tab before a comment', 'name: dev\n\t# none\n', 4],
    ['a tab after a dash', 'nodes:\n- role: worker\n-\trole: control-plane\n', 5],
  ])('rejects %s, as kind does', (_, text, line) => {
    expect(problemsOf(HEAD + text)).toEqual([
      `${line} - is not valid YAML: Tabs are not allowed as indentation`,
    ]);
  });

  it('finds equal host ports in different spellings of protocols, numbers and addresses', () => {
    const ports = (...mappings: string[]): string[] =>
      problemsOf(
        `${HEAD}nodes: [{ extraPortMappings: [${mappings.map((mapping) => `{ ${mapping} }`).join()}] }]`,
      );
    const clash =
      '3 nodes[0].extraPortMappings[1].hostPort host port 80 is already used by nodes[0].extraPortMappings[0].hostPort';
    const first = 'containerPort: 1, hostPort: 80, protocol: tcp, listenAddress: "::1"';
    expect(ports(first, 'containerPort: 2, hostPort: 0120, listenAddress: "0:0::1"')).toEqual([clash]);
    expect(ports(first, 'containerPort: 2, hostPort: 0x50, listenAddress: "0::0"')).toEqual([clash]);
    expect(ports(first, 'containerPort: 2, hostPort: 80, listenAddress: "::2"')).toEqual([]);
    expect(ports('containerPort: 1, hostPort: 80, listenAddress: "fe80::1%eth0"')).toHaveLength(1);
  });

  it('returns at most 50 problems, and rejects alias bombs, deep nesting and long texts', () => {
    expect(
      problemsOf(HEAD + Array.from({ length: 200 }, (_, index) => `x${index}: 1`).join('\n')),
    ).toHaveLength(50);
    const laughs = Array.from({ length: 20 }, (_, index) =>
      index === 0
        ? 'a0: &a0 [x, x]'
        : `a${index}: &a${index} [${Array(9)
            .fill(`*a${index - 1}`)
            .join(', ')}]`,
    ).join('\n');
    expect(problemsOf(laughs)[0]).toMatch(
      / - is not valid YAML: Aliases repeat the text until it is too large$/,
    );
    expect(problemsOf('['.repeat(15_000))[0]).toBe('1 - is not valid YAML: Nests deeper than 100 levels');
    expect(problemsOf('x'.repeat(100_001))).toEqual(['1 - is longer than 100000 characters']);
  });

  it.each([
    ['a key whose tag does not fit', `${HEAD}!!int a: 1\n`, ['3 - has a key that its tag does not allow']],
    [
      'an unknown directive',
      `%FOO bar\n---\n${HEAD}`,
      ['1 - is not valid YAML: The only directive that is allowed is %YAML 1.1'],
    ],
  ])('rejects %s', (_what, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('counts a subnet of mapped IPv4 addresses as IPv4', () => {
    const subnet = (podSubnet: string, ipFamily: string): string[] =>
      problemsOf(`${HEAD}networking: { ipFamily: ${ipFamily}, podSubnet: "${podSubnet}" }\n`);
    expect(subnet('::ffff:10.0.0.0/104', 'ipv4')).toEqual([]);
    expect(subnet('::ffff:a00:0/104', 'ipv6')).toHaveLength(1);
    // The mask takes away what makes it IPv4.
    expect(subnet('::ffff:10.0.0.0/95', 'ipv6')).toEqual([]);
    expect(subnet('::ffff:10.0.0.0/104,fd00::/56', 'dual')).toEqual([]);
  });
});
