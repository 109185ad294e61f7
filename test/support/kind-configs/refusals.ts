/** A config that kind accepts and Slipway rejects. Each is a row of the table in docs/clusters.md. */
export interface Refusal {
  /** As in the documentation. */
  what: string;
  config: string;
  problems: readonly string[];
  /** The problems of all configs of this kind, with their paths. */
  pattern: RegExp;
}

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const node = (fields: string): string => `${HEAD}nodes:\n- role: control-plane\n  ${fields}\n`;
const mount = (hostPath: string, containerPath: string): string =>
  node(`extraMounts: [{ hostPath: ${hostPath}, containerPath: ${containerPath} }]`);

export const REFUSALS: readonly Refusal[] = [
  {
    what: 'A node image that is not an image reference',
    config: node('image: --privileged'),
    problems: ['5 nodes[0].image must be an image reference, such as docker.io/kindest/node:v1.34.4'],
    pattern: /^nodes\[\d+]\.image must be an image reference/,
  },
  {
    what: 'A port mapping without `containerPort`, or with 0 or -1',
    config: node('extraPortMappings: [{ hostPort: 80 }, { containerPort: 0 }]'),
    problems: [
      '5 nodes[0].extraPortMappings[0] must have containerPort',
      '5 nodes[0].extraPortMappings[1].containerPort must be >= 1',
    ],
    pattern: / must have containerPort$|\.containerPort (must be >= 1$|has no value;)/,
  },
  {
    what: 'A mount without `hostPath` or `containerPath`',
    config: node('extraMounts: [{ containerPath: /data }, { hostPath: /srv, containerPath: }]'),
    problems: [
      '5 nodes[0].extraMounts[0] must have hostPath',
      '5 nodes[0].extraMounts[1].containerPath has no value; ~ and an empty value are null in YAML',
    ],
    pattern: / must have (hostPath|containerPath)$|Path has no value;/,
  },
  {
    what: 'A `hostPath` that is relative, begins with `~`, contains `..` or a colon, or is in the data folder',
    config: mount('./data', '/data'),
    problems: ['5 nodes[0].extraMounts[0].hostPath must be an absolute path, such as /home/me/data'],
    pattern: /\.hostPath must (be an absolute path|not )/,
  },
  {
    what: 'A `containerPath` that is relative, has a colon, hides a folder of the node, or is used twice',
    config: mount('/srv', '/var'),
    problems: [
      '5 nodes[0].extraMounts[0].containerPath is a mount point of kind; use another path, such as /data',
    ],
    pattern: /\.containerPath (must|is a|is already) /,
  },
  {
    what: 'A `listenAddress` or `apiServerAddress` that is not an IP address',
    config: `${HEAD}networking: { apiServerAddress: localhost }\n`,
    problems: ['3 networking.apiServerAddress "localhost" is not an IP address'],
    pattern: /Address ".*" is not an IP address$/s,
  },
  {
    what: 'A host port that two nodes use, or a node and the API server',
    config: `${node('extraPortMappings: [{ containerPort: 80, hostPort: 8080 }]')}networking: { apiServerPort: 8080 }\n`,
    problems: [
      '5 nodes[0].extraPortMappings[0].hostPort host port 8080 is already used by networking.apiServerPort',
    ],
    pattern: /\.hostPort host port \d+ is already used by /,
  },
  {
    what: 'More than 5 control planes, or more than 20 workers',
    config: `${HEAD}nodes: [${'{ role: control-plane },'.repeat(6)}]\n`,
    problems: ['3 nodes has 6 control planes; the maximum is 5'],
    pattern: /^nodes has \d+ (control planes|workers); the maximum is \d+$/,
  },
  {
    what: 'A `name` that differs from the name of the cluster',
    config: `${HEAD}name: other\n`,
    problems: ['3 name is "other", but the cluster is named "dev"; use the same name, or omit it'],
    pattern: /^name is ".*", but the cluster is named/,
  },
  {
    what: 'A text of more than 100,000 characters, 100 levels or 60,000 values, or one that not all parsers of YAML read alike',
    config: `${HEAD}name: a\u2028 b\n`,
    problems: ['3  is not valid YAML: A value contains the character U+2028 or U+2029, which ends a line'],
    pattern:
      /^ is not valid YAML: (A value contains|A colon must have a blank|Flow (map|sequence) in block|Missing closing)/,
  },
];
