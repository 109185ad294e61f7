import { describe, expect, it } from '@jest/globals';
import { kubernetesYaml } from './kubernetes-yaml.js';
import { parseYaml, yamlValue } from './parse-yaml.js';
import { stringify } from './print-yaml.js';

/** As `kubectl apply --dry-run=client -o json` of version 1.34 prints them. */
const SCALARS: [string, unknown][] = [
  ['e1', 'e1'],
  ['E7', 'E7'],
  ['-e5', '-e5'],
  ['.e1', '.e1'],
  ['e+1', 'e+1'],
  ['1e3', 1000],
  ['.5', 0.5],
  ['1.', 1],
  ['1e400', '1e400'],
  ['0x20000000000001', 9007199254740993n],
  ['0400000000000000001', 9007199254740993n],
  ['0o400000000000000001', 9007199254740993n],
  ['0b100000000000000000000000000000000000000000000000000001', 9007199254740993n],
  ['0xFFFFFFFFFFFFFFFF', 18446744073709551615n],
  ['18446744073709551616', 18446744073709552000],
  ['-9223372036854775808', -9223372036854775808n],
  ['0X1F', 31],
  ['1_000', 1000],
  ['0644', 420],
  ['08', 8],
  ['0', 0],
  ['-0x10', -16],
  ['0x10000000000000000', '0x10000000000000000'],
  ['02000000000000000000000', 2e21],
  ['1e1_0', 1e10],
  ['!!int "1"', 1],
  ['!!float "1"', 1],
  ['0x_', '0x_'],
  ['0b_', '0b_'],
  ['0o_', '0o_'],
  ['yes', true],
  ['~', null],
  ['12:30', '12:30'],
  ['2001-12-14', '2001-12-14'],
  ['10.0.0.1', '10.0.0.1'],
];

describe('YAML of Kubernetes', () => {
  it.each(SCALARS)('reads %s', (text, value) => {
    expect(yamlValue(`a: ${text}`, kubernetesYaml)).toEqual({ a: value });
  });

  it.each(SCALARS)('prints the value of %s so that it is read again', (_, value) => {
    const printed = stringify({ a: value });
    expect(yamlValue(printed, kubernetesYaml)).toEqual({ a: value });
  });

  it.each(['0X10', '1_000', '0b10', 'yes', 'N', '685.230_15e+03', '1e3', '~', '0o7', '12:30'])(
    'prints the text %s so that it remains text',
    (text) => {
      const value = { a: text, [text]: 1 };
      expect(yamlValue(stringify(value), kubernetesYaml)).toEqual(value);
      expect(yamlValue(stringify(value))).toEqual(value);
    },
  );

  it('reads infinities', () => {
    expect(yamlValue('[.inf, -.Inf, .nan]', kubernetesYaml)).toEqual([Infinity, -Infinity, NaN]);
  });

  it.each(['z', '[a]', '~', '[{b: 1}, c]', '*text'])('refuses a merge of %s', (source) => {
    const { errors } = parseYaml(`t: &text hello\na:\n  <<: ${source}\n`, kubernetesYaml);
    expect(errors.map(({ message }) => message)).toEqual(['A merge (<<) needs a map or a list of maps']);
  });

  it('merges maps, lists of maps and aliases of both', () => {
    const text = 'm: &m {x: 1}\nl: &l [*m, {k: 2}]\na: {<<: *m}\nb: {<<: *l}\nc: {<<: [*m, {z: 3}]}\n';
    expect(yamlValue(text, kubernetesYaml)).toMatchObject({
      a: { x: 1 },
      b: { x: 1, k: 2 },
      c: { x: 1, z: 3 },
    });
  });

  it('keeps a key << that is no merge', () => {
    const value = { data: { '<<': { a: 'b' }, w: '1' } };
    expect(yamlValue(stringify(value), kubernetesYaml)).toEqual(value);
  });
});
