import { describe, expect, it } from '@jest/globals';
import { yaml } from './resource-yaml-process.js';
import { findFieldLines, isBroken, MAX_OBJECTS, parseManifests, type Manifest } from './parse-manifests.js';
import { printManifest } from './print-manifest.js';

const settings = (name: string, data = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${data}`;
const withData = (...lines: string[]): string =>
  settings('one', `data:\n${lines.map((line) => `  ${line}\n`).join('')}`);

function objects(text: string): Manifest[] {
  const found = parseManifests(text);
  return found.filter((manifest): manifest is Manifest => !isBroken(manifest));
}

function dataOf(...lines: string[]): unknown {
  return objects(withData(...lines))[0]?.object['data'];
}

function problems(text: string): string[] {
  return parseManifests(text).flatMap((manifest) => (isBroken(manifest) ? [manifest.problem] : []));
}

describe('parseManifests', () => {
  it('numbers objects and their lines, and skips empty documents', () => {
    const text = `\uFEFF# first\n---\n${settings('one')}---\n# nothing here\n---\n${settings('two')}---\n`;
    expect(objects(text).map(({ index, line, object }) => [index, line, object.metadata.name])).toEqual([
      [1, 3, 'one'],
      [2, 10, 'two'],
    ]);
    expect(parseManifests('')).toEqual([]);
    expect(parseManifests('---\n# nothing\n---\n')).toEqual([]);
  });

  it('expands lists and reads JSON', () => {
    const item = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [item('a'), { kind: 'ConfigMapList', items: [item('b')] }],
    };
    const found = objects(`${settings('one')}---\n${JSON.stringify(list, null, 1)}\n`);
    expect(found.map(({ index, object }) => [index, object.metadata.name])).toEqual([
      [1, 'one'],
      [2, 'a'],
      [3, 'b'],
    ]);
    expect(found[1]?.line).toBeGreaterThan(5);
  });

  it('reports an invalid document with its line, and reads the others', () => {
    const text = `${settings('one')}---\nkind: ConfigMap\n  broken: [\n---\n${settings('three')}`;
    const found = parseManifests(text);
    expect(found.map((manifest) => isBroken(manifest))).toEqual([false, true, false]);
    expect(problems(text)[0]).toMatch(/^Document 2, line 6: invalid YAML: /);
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9_007_199_254_740_993', '-9007199254740993'],
    ['+18446744073709551615', '18446744073709551615'],
    ['1234567890123456', '1234567890123456'],
    ['1e300', '1e+300'],
    ['0x1F', '31'],
  ])('keeps the digits of %s', (written, printed) => {
    const [found] = objects(settings('one', `spec:\n  serial: ${written}\n`));
    const text = found && printManifest(found.object);
    expect(text).toMatch(new RegExp(`^ {2}serial: ${printed.replace('+', '\\+')}$`, 'm'));
    expect(JSON.stringify(found?.object['spec'])).toBe(`{"serial":${printed}}`);
  });

  it('finds the lines of fields', () => {
    const text = `${settings('one')}---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n        - name: web\n          image: x\n`;
    const lineOf = (...fields: string[]): unknown => findFieldLines(text, [{ index: 2, fields }]).get(2);
    expect(lineOf('spec.replicas')).toBe(11);
    expect(lineOf('spec.nothing', 'spec.template.spec.containers[0].image')).toBe(16);
    expect(lineOf('spec.nothing')).toBeUndefined();
    expect(findFieldLines(text, [{ index: 3, fields: ['spec'] }]).get(3)).toBeUndefined();
  });

  it('reads values as Kubernetes does', () => {
    expect(
      dataOf(
        'mode: 0644',
        'new: 0o644',
        'hex: 0x1F',
        'flag: yes',
        'off: n',
        'time: 12:30',
        'day: 2001-12-14',
        'size: 1_000',
        'float: 1e3',
        'none: ~',
      ),
    ).toEqual({
      mode: 420,
      new: 420,
      hex: 31,
      flag: true,
      false: false,
      time: '12:30',
      day: '2001-12-14',
      size: 1000,
      float: 1000,
      none: null,
    });
    expect(dataOf('a: &a {x: 1}', 'b: {<<: *a, z: 2}', 'c: *a')).toEqual({
      a: { x: 1 },
      b: { x: 1, z: 2 },
      c: { x: 1 },
    });
  });

  it('reads what printManifest prints', () => {
    const data = {
      a: 'yes',
      b: '0644',
      c: '1e3',
      d: '~',
      e: 'two\nlines\n',
      f: '12:30',
      g: '- x',
      '0x1': '<<',
      y: 'n',
      h: '0o17',
    };
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data,
      metadata: { name: 'one', managedFields: [{ manager: 'kubectl' }] },
    };
    const printed = printManifest(object);
    expect(printed).toMatch(/^apiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: one\ndata:\n/);
    expect(objects(printed)[0]?.object).toEqual({ ...object, metadata: { name: 'one' } });
  });

  it.each([
    ['a word', 'hello', 'it is not an object'],
    ['a list', '- 1\n- 2', 'it is not an object'],
    ['no version', 'kind: ConfigMap\nmetadata: {name: one}', 'apiVersion is required'],
    [
      'an invalid apiVersion',
      'apiVersion: ../v1\nkind: ConfigMap\nmetadata: {name: one}',
      'apiVersion is invalid',
    ],
    ['no kind', 'apiVersion: v1\nmetadata: {name: one}', 'kind is required'],
    ['no metadata', 'apiVersion: v1\nkind: ConfigMap', 'metadata.name is required'],
    ['no name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}', 'metadata.name is required'],
    ['a name that is a number', settings('8080'), 'metadata.name must be text'],
    ['generateName', 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}', 'generateName'],
    ['a duplicate key', withData('a: x', 'b: y', 'a: z'), 'line 8: duplicate key a'],
    ['a tag', withData('a: !Ref x'), 'it has a YAML tag'],
    ['a tag of another language', withData('a: !!js/function x'), 'it has a YAML tag'],
    ['a number that JSON does not have', withData('a: .inf'), 'a number that JSON does not have'],
    ['a map as a key', withData('? {a: b}', ': c'), 'a key is not text'],
    ['an unresolved alias', withData('a: *nowhere'), 'invalid YAML'],
    ['unbounded nesting', `a: ${'['.repeat(5000)}`, 'nests'],
    ['deep nesting', `a: ${'['.repeat(300)}${']'.repeat(300)}`, 'it nests deeper than 100 levels'],
  ])('rejects %s', (_what, text, problem) => {
    expect(problems(text).join('\n')).toContain(problem);
  });

  it.each([
    '*canary',
    '!canary x',
    '"x" canary',
    "'x' canary",
    '[x] canary',
    '[canary',
    '"canary',
    '{a: canary',
    '- canary: {',
    '`canary',
    '"\\canary"',
    '123456789012345678901canary: [',
  ])('reports an error without quoting the text: %s', (value) => {
    const found = problems(withData(`password: ${value}`, 'b: c'));
    expect(found).toHaveLength(1);
    expect(found.join()).not.toContain('canary');
  });

  it('rejects aliases that expand to too much text', () => {
    const levels = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map((pair) => pair.split(''))) {
      levels.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join()}]`);
    }
    expect(problems(withData(...levels))).toEqual([
      'Document 1, line 11: its aliases expand to too much text.',
    ]);
  });

  it('returns one object more than the maximum for a larger text', () => {
    const item = (index: number): string => `{apiVersion: v1, kind: A, metadata: {name: n${index}}}`;
    const text = Array.from({ length: MAX_OBJECTS + 20 }, (_, index) => item(index)).join('\n---\n');
    return expect(yaml.parseManifests(text)).resolves.toHaveLength(MAX_OBJECTS + 1);
  });

  it('parses large text in a process', async () => {
    const entries = Array.from({ length: 25_000 }, (_, index) => `k${index}: v`);
    const large = withData(...entries);
    expect(() => parseManifests(large)).toThrow('in a work process');
    const [manifest] = await yaml.parseManifests(large);
    if (!manifest || isBroken(manifest)) throw new Error('the object could not be read');
    expect(Object.keys(manifest.object['data'] as object)).toHaveLength(entries.length);
    const fields = ['data.k20000'];
    expect((await yaml.findFieldLines(large, [{ index: 1, fields }])).get(1)).toBe(20_006);
    expect(await yaml.printPart(manifest.object)).toContain('  k20000: v\n');
  });
});
