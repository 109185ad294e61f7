import { stringify } from 'yaml';

/** Where hostile text would leave a file, if anything ran it. */
export const PROOF = '/tmp/slipway-was-here';
/** Strings that mean something to a shell, a flag parser, a path, a query, a terminal or a log. */
export const STRINGS: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../x',
  '../../../etc/passwd',
  '..%2f..%2f',
  '%2e%2e%2f',
  '/etc/passwd',
  'a/b',
  'a\\b',
  '-',
  '--',
  '-x',
  '--kubeconfig=/etc/passwd',
  '--name=other',
  `$(touch ${PROOF})`,
  `;touch ${PROOF};`,
  `|touch ${PROOF}`,
  `\`touch ${PROOF}\``,
  `x\ntouch ${PROOF}`,
  "' OR 1=1 --",
  "'; DROP TABLE jobs; --",
  '\u0000',
  'a\u0000b',
  'a\rb',
  '\u001b[31mred',
  '\u202egnp.exe',
  'ünïcode',
  '名前',
  '😀',
  '\ud800',
  'A',
  'a_b',
  'a.b.',
  '-a',
  'a-',
  'x'.repeat(41),
  'x'.repeat(5000),
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '1e309',
  'NaN',
];

/** Values of every wrong type. Text, since JSON has values that JavaScript has not. */
export const JSON_VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e21',
  '[]',
  '[[]]',
  '[null]',
  '["a"]',
  '{}',
  '{"a":1}',
  '{"length":3}',
  '{"toString":1}',
  '{"__proto__":{"polluted":true}}',
  ...STRINGS.map((text) => JSON.stringify(text)),
];

const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);

/** Whole bodies. */
export const BODIES: readonly [string, string][] = [
  ['an empty one', '{}'],
  ['an empty list', '[]'],
  ['a list of requests', '[{"name":"hostile","workers":0,"node_image_tag":"v1.34.4"}]'],
  [
    'a polluting key',
    '{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","__proto__":{"polluted":true}}',
  ],
  [
    'the constructor',
    '{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","constructor":{"prototype":{"polluted":true}}}',
  ],
  ['an unknown key', '{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","id":1}'],
  ['keys with dots', '{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","a.b":1,"a[0]":2}'],
  ['two names', '{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","name":"../x"}'],
  ['deep lists', `{"name":${deep('[', ']', 100_000)}}`],
  ['deep maps', `{"x":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`],
  [
    'a deep unknown key',
    `{"name":"hostile","workers":0,"node_image_tag":"v1.34.4","x":${deep('[', ']', 1000)}}`,
  ],
  ['50,000 keys', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ['a megabyte', JSON.stringify({ name: 'x'.repeat(1_000_000) })],
  [
    'a long list of ports',
    JSON.stringify({
      name: 'hostile',
      workers: 0,
      node_image_tag: 'v1.34.4',
      port_mappings: Array.from({ length: 5000 }, () => ({})),
    }),
  ],
  [
    'a host path with a line break',
    JSON.stringify({
      name: 'hostile',
      workers: 0,
      node_image_tag: 'v1.34.4',
      mounts: [{ host_path: '/a\n  hostPath: /b', container_path: '/c' }],
    }),
  ],
  [
    'a port twice',
    JSON.stringify({
      name: 'hostile',
      workers: 0,
      node_image_tag: 'v1.34.4',
      port_mappings: [
        { container_port: 1, host_port: 2 },
        { container_port: 3, host_port: 2 },
      ],
    }),
  ],
  ['fields beside a config', JSON.stringify({ name: 'hostile', workers: 1, config: 'kind: Cluster' })],
  ['bytes that are no text', '{"name":"\\ud800\\udfff\u0001"}'],
  [
    'a tag that pretends',
    JSON.stringify({ name: 'hostile', workers: 0, node_image_tag: 'v1.34.4\n--privileged' }),
  ],
];

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const bomb = (levels: number): string =>
  `a0: &a0 [x]\n${Array.from({ length: levels }, (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]`).join('\n')}\n`;

/** Whole kind configs. */
export const CONFIGS: readonly [string, string][] = [
  ['no text', ''],
  ['a line', 'x'],
  ['a NUL', '\u0000'],
  ['a billion laughs', HEAD + bomb(12)],
  ['laughs in a field that is known', `${HEAD}nodes:\n- &n {role: worker}\n${'- *n\n'.repeat(60)}`],
  ['a merge', `x: &x {role: worker}\n${HEAD}nodes:\n- <<: *x\n`],
  ['an alias without anchor', `${HEAD}nodes: *missing\n`],
  ['an alias of itself', `${HEAD}nodes: &n\n- *n\n`],
  ['deep flow lists', '['.repeat(50_000)],
  ['deep maps', `${HEAD}nodes: ${deep('{a: ', '}', 5000)}`],
  ['deep block lists', `${HEAD}nodes:\n${'- '.repeat(20_000)}x`],
  ['tabs for spaces', `${HEAD}nodes:\n\t- role: control-plane\n`],
  ['a key twice', `${HEAD}nodes: []\nnodes: []\n`],
  ['a tag of a language', `${HEAD}nodes: !!js/function 'function () {}'\n`],
  ['a tag of another', `${HEAD}nodes: !!python/object/apply:os.system ["touch ${PROOF}"]\n`],
  ['a polluting key', `${HEAD}__proto__: { polluted: true }\n`],
  ['a polluting key within', `${HEAD}nodes:\n- __proto__: { role: worker }\n`],
  ['the constructor', `${HEAD}constructor: { prototype: { polluted: true } }\n`],
  [
    'a polluting label',
    `${HEAD}nodes:\n- role: control-plane\n  labels: { __proto__: { polluted: "true" } }\n`,
  ],
  ['another kind', 'kind: Pod\napiVersion: v1\n'],
  ['an unknown field', `${HEAD}hooks: [{ exec: "touch ${PROOF}" }]\n`],
  ['another name', `${HEAD}name: other\n`],
  ['a name that is a flag', `${HEAD}name: --kubeconfig=/etc/passwd\n`],
  ['an image that is a flag', `${HEAD}nodes:\n- role: control-plane\n  image: --privileged\n`],
  ['an image for a shell', `${HEAD}nodes:\n- role: control-plane\n  image: "x;touch ${PROOF}"\n`],
  ['numbers for text', `${HEAD}nodes:\n- role: 1\n  image: 2\n`],
  ['no control plane', `${HEAD}nodes:\n- role: worker\n`],
  ['too many nodes', `${HEAD}nodes:\n- role: control-plane\n${'- role: worker\n'.repeat(21)}`],
  ['a port out of range', `${HEAD}networking: { apiServerPort: 65536 }\n`],
  ['an invalid address', `${HEAD}networking: { apiServerAddress: "0.0.0.0; touch ${PROOF}" }\n`],
  ['more than 100,000 characters', `${HEAD}# ${'x'.repeat(100_000)}\n`],
  ['YAML of JSON of YAML', stringify({ config: HEAD })],
];
