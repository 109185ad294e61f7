/** How sections without entries are written. */
const EMPTY = [
  undefined,
  '',
  ' []',
  ' [ ]',
  '   []  # none',
  ' null',
  '  ~',
  ' # none yet',
  '\n  # none yet\n',
  ' []\n# none yet',
  ' [\n    # none yet\n  ]',
];

const ITEMS = {
  clusters: [
    [
      'name: work',
      'cluster:',
      ['server: https://work.test:6443 # ours', 'proxy-url: socks5://127.0.0.1:1080'],
    ],
    ['cluster:', ['server: "https://other.test"'], 'name: other'],
  ],
  contexts: [
    ['context: {cluster: work, user: me, namespace: "1e3"}', 'name: work'],
    ['name: other', '# mine', 'context:', ['user: me', 'cluster: other']],
  ],
  users: [
    ['name: me', 'user:', ['token: >-', ['folded', 'text'], 'x-note: |', ['kept', '', 'text']]],
    ['name: other', 'user:', ['exec:', ['command: ./login', 'env: null', 'args: [ "--env",  "prod" ]']]],
  ],
} as const;

type Lines = readonly (string | Lines)[];

function written(lines: Lines, indent: number, column: number): string[] {
  return lines.flatMap((line) =>
    typeof line === 'string'
      ? `${' '.repeat(line === '' ? 0 : column)}${line}`
      : written(line, indent, column + indent),
  );
}

interface Style {
  indent: number;
  list: number;
  blank: boolean;
  comments: boolean;
  dash: string;
}

function itemOf(lines: Lines, { indent, list, dash }: Style): string[] {
  const [first = '', ...rest] = written(lines, indent, list + dash.length);
  return [' '.repeat(list) + dash + first.trimStart(), ...rest];
}

function sectionOf(name: keyof typeof ITEMS, style: Style): string {
  const items = ITEMS[name].flatMap((lines, index) => [
    ...(style.comments ? [`${' '.repeat(style.list)}# number ${index}`] : []),
    ...itemOf(lines, style),
    ...(style.blank ? [''] : []),
  ]);
  return [`${name}:${style.comments ? '   # all' : ''}`, ...items].join('\n');
}

/** Random numbers that are the same in each run (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Kubeconfigs in many styles of people and programs. */
export function* generatedKubeconfigs(count: number): Generator<string> {
  for (let seed = 1; seed <= count; seed += 1) {
    const random = randomOf(seed);
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
    yield random(4) === 0 ? jsonOf(pick) : yamlOf(pick);
  }
}

type Pick = <T>(values: readonly T[]) => T;

function yamlOf(pick: Pick): string {
  const style: Style = {
    indent: pick([1, 2, 4]),
    list: pick([0, 0, 2, 4]),
    blank: pick([true, false]),
    comments: pick([true, false]),
    dash: pick(['- ', '- ', '-   ']),
  };
  const sections = (['clusters', 'contexts', 'users'] as const).map((name) => {
    const empty = pick(EMPTY);
    if (pick([true, false])) return sectionOf(name, style);
    return empty === undefined ? undefined : `${name}:${empty}`;
  });
  const others = [
    pick([undefined, 'apiVersion: v1']),
    pick([undefined, 'kind: Config', '"kind": Config']),
    pick([undefined, 'current-context: ""', 'current-context: work', 'current-context:   # none']),
    pick([undefined, 'preferences: {colors: true}   # mine', 'preferences: {}']),
    pick([undefined, 'x-team-notes: >\n  folded\n  text\n', '# at the end', 'x: |+\n  kept\n\n']),
    pick([undefined, 'extensions: []', 'extensions:\n- name: mine\n  extension: {a:  1.0}']),
  ];
  const parts = [...sections, ...others].filter((part) => part !== undefined);
  // The order of a text that people have edited.
  const shuffled = parts
    .map((part) => [pick([...Array(99).keys()]), part] as const)
    .sort(([one], [other]) => one - other);
  const body = shuffled.map(([, part]) => part).join(pick(['\n', '\n', '\n\n', '\n# between\n']));
  const end = pick([
    '\n',
    '\n',
    '',
    '\n\n',
    '\n# end\n',
    '\n# end',
    '\n---\n',
    '\n...\n',
    '\n---\nkind: Other\n',
  ]);
  const text = pick(['', '', '# begin\n', '---\n', '# begin\n---\n']) + body + end;
  return pick(['', '', '\ufeff']) + (pick([false, false, true]) ? text.replaceAll('\n', '\r\n') : text);
}

function jsonOf(pick: Pick): string {
  const full = {
    clusters: [{ cluster: { server: 'https://work.test' }, name: 'work' }],
    contexts: [{ name: 'work', context: { cluster: 'work', user: 'me' } }],
    users: [
      { name: 'me', user: { exec: { command: 'x', args: ['a', 'b'], env: null } } },
      { name: 'b', user: {} },
    ],
  };
  const sections = Object.entries(full).map(([name, items]) => [name, pick([null, [], items])] as const);
  const others = [
    ['apiVersion', 'v1'],
    ['current-context', pick(['', null])],
    ['extensions', pick([undefined, null, []])],
  ] as const;
  const value = Object.fromEntries([...others, ...sections, ['kind', 'Config']]) as object;
  const text = JSON.stringify(value, undefined, pick([0, 0, 2, 4, '\t']));
  const spaced = pick([text, text, text.replaceAll(/(?<=[":\]]),/g, ', ').replaceAll('":', '": ')]);
  return spaced.replaceAll('[]', pick(['[]', '[]', '[ ]', '[\n]'])) + pick(['', '\n', '\r\n']);
}
