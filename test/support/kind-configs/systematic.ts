import type { TypeSchema } from '../../../backend/src/modules/kind-config/decode-kind-config.js';

/** Spellings of a value in YAML, right and wrong ones, for each type of field. */
const SPELLINGS: Record<string, readonly string[]> = {
  boolean: [
    ...['true', 'True', 'TRUE', 'tRUE', '"true"', 'yes', 'Yes', 'YES', 'yEs', "'yes'", 'on', 'ON', '"on"'],
    ...['y', 'Y', 'n', 'N', 'no', 'No', 'off', 'OFF', "'off'", 'false', 'FALSE', '"false"', '"False"'],
    ...['1', '0', '"1"', 'x', '', '~', 'null', 'Null', '"null"', '""', '[]', '{}', '[true]', '{a: true}'],
    ...[
      '!!bool true',
      '!!bool yes',
      '!!bool "true"',
      '!!str true',
      '!!str yes',
      '!!int 1',
      '! true',
      '! "on"',
    ],
  ],
  integer: [
    ...[
      '80',
      '"80"',
      "'80'",
      '+80',
      '-1',
      '-2',
      '0',
      '00',
      '-0',
      '+0',
      '0120',
      '0o17',
      '0O17',
      '0x1F',
      '0X1f',
    ],
    ...[
      '0b101',
      '0B11',
      '0o',
      '0x',
      '0b2',
      '08',
      '0189',
      '-0120',
      '-0x1',
      '1_000',
      '_1',
      '1__0',
      '0x_1F',
      '1_',
    ],
    ...['80.0', '80.7', '-0.7', '8e1', '8E+1', '800e-1', '1e99', '1e999', '.5', '5.', '.e1', '.inf', '-.inf'],
    ...['.nan', '65535', '65536', '2147483647', '2147483648', '-2147483649', '9223372036854775808'],
    ...[
      '80 # a port',
      '',
      '~',
      'null',
      'NULL',
      '""',
      'yes',
      'true',
      'x',
      '8O',
      '[]',
      '[80]',
      '{}',
      '8080/tcp',
    ],
    ...[
      '!!int 80',
      '!!int "80"',
      '!!float 80',
      '!!str 80',
      '!!int x',
      '!!int 8.0',
      '!port 80',
      '! 80',
      '! "80"',
    ],
    ...['2020-01-01', '12:30', '1,000'],
  ],
  string: [
    ...[
      'x',
      'true',
      'yes',
      'No',
      '1',
      '007',
      '1.0',
      '0x10',
      '0o17',
      '1e3',
      '-0',
      '+1',
      '1_000',
      '.inf',
      '.NaN',
    ],
    ...['null', '~', '', '""', "''", '"null"', "'~'", '2020-01-01', '12:30', 'a b', '"a\\tb"', "it's", '<<'],
    ...['!!str 1', '!!str null', '!!str', '!!binary eA==', '!!int 1', '!!int x', '!!bool yes', '!!float 1'],
    ...['!!null x', '!!null ""', '!custom x', '! 1', '[x]', '[]', '{a: x}', '{}', '|-\n    x', '>-\n    x'],
  ],
  array: [
    '',
    '~',
    'null',
    '[]',
    '{}',
    'x',
    '""',
    '0',
    'true',
    '[~]',
    '[null, ~]',
    '[x]',
    '[[]]',
    '[{}]',
    '{a: b}',
    '!!seq []',
  ],
  object: [
    '',
    '~',
    'null',
    '{}',
    '[]',
    'x',
    '""',
    '0',
    '{~: x}',
    '{a: }',
    '{1: x}',
    '{a: b}',
    '[a]',
    '!!map {}',
  ],
};

/** Fields without which kind or Slipway rejects the map that they are in. */
const SIBLINGS: Record<string, readonly string[]> = {
  '': ['kind: Cluster', 'apiVersion: kind.x-k8s.io/v1alpha4'],
  extraMounts: ['hostPath: /srv/host', 'containerPath: /mnt/node'],
  extraPortMappings: ['containerPort: 80'],
};

/** The names of maps and fields above a value; `-` is an item of a list. */
type Steps = readonly string[];

/** Configs with each field of the schema in each spelling, by name. */
export function systematicConfigs(schema: TypeSchema): [name: string, text: string][] {
  return fieldsOf(schema, []).flatMap(([steps, field]) =>
    spellingsOf(field).map((spelling): [string, string] => [
      `${steps.join('.')} = ${spelling}`,
      render(steps, spelling),
    ]),
  );
}

function fieldsOf(schema: TypeSchema, steps: Steps): [Steps, TypeSchema][] {
  const own: [Steps, TypeSchema][] = steps.length > 0 ? [[steps, schema]] : [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    fieldsOf(field, [...steps, name]),
  );
  const items = schema.items ? fieldsOf(schema.items, [...steps, '-']) : [];
  const values = schema.additionalProperties ? fieldsOf(schema.additionalProperties, [...steps, 'a']) : [];
  return [...own, ...inner, ...items, ...values];
}

function spellingsOf({ type, enum: members, const: only }: TypeSchema): readonly string[] {
  const known = (members ?? (only === undefined ? [] : [only])).map(String);
  const variants = known.flatMap((word) => [word, word.toLowerCase(), word.toUpperCase(), `"${word}"`]);
  return [...new Set([...variants, ...(SPELLINGS[type ?? 'string'] ?? [])])];
}

function render(steps: Steps, spelling: string): string {
  const lines = (SIBLINGS[''] ?? []).filter((line) => !line.startsWith(`${steps[0]}:`));
  let indent = '';
  let dash = '';
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const value = spelling === '' ? '' : ` ${spelling}`;
    if (step === '-') {
      if (isLast) lines.push(`${indent}-${value}`);
      dash = '- ';
      continue;
    }
    lines.push(`${indent}${dash}${step}:${isLast ? value : ''}`);
    if (dash !== '') indent += '  ';
    dash = '';
    if (isLast) {
      const others = steps[index - 1] === '-' ? (SIBLINGS[steps[index - 2] ?? ''] ?? []) : [];
      lines.push(...others.filter((line) => !line.startsWith(`${step}:`)).map((line) => indent + line));
    } else if (steps[index + 1] !== '-') indent += '  ';
  }
  return `${lines.join('\n')}\n`;
}
