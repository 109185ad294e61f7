import { describe, expect, it } from '@jest/globals';
import { yaml } from '../resource-yaml.js';
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

describe('the objects of a text', () => {
  it('are counted with the line at which each begins, without what is empty', () => {
    const text = `\uFEFF# first\n---\n${settings('one')}---\n# nothing here\n---\n${settings('two')}---\n`;
    expect(objects(text).map(({ index, line, object }) => [index, line, object.metadata.name])).toEqual([
      [1, 3, 'one'],
      [2, 10, 'two'],
    ]);
    expect(parseManifests('')).toEqual([]);
    expect(parseManifests('---\n# nothing\n---\n')).toEqual([]);
  });

  it('are taken out of lists, and JSON is YAML', () => {
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

  it('do not hide each other: one that cannot be read is told with its line', () => {
    const text = `${settings('one')}---\nkind: ConfigMap\n  broken: [\n---\n${settings('three')}`;
    const found = parseManifests(text);
    expect(found.map((manifest) => isBroken(manifest))).toEqual([false, true, false]);
    expect(problems(text)[0]).toMatch(/^Document 2, line 6: it is not valid YAML: /);
  });

  it('know where their fields stand', () => {
    const text = `${settings('one')}---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n        - name: web\n          image: x\n`;
    const lineOf = (...fields: string[]): unknown => findFieldLines(text, [{ index: 2, fields }]).get(2);
    expect(lineOf('spec.replicas')).toBe(11);
    expect(lineOf('spec.nothing', 'spec.template.spec.containers[0].image')).toBe(16);
    expect(lineOf('spec.nothing')).toBeUndefined();
    expect(findFieldLines(text, [{ index: 3, fields: ['spec'] }]).get(3)).toBeUndefined();
  });

  it('are read as Kubernetes’ own programs read them', () => {
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

  it('come back as they were printed', () => {
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
      metadata: { name: 'one', managedFields: [{ manager: 'somebody' }] },
    };
    const printed = printManifest(object);
    expect(printed).toMatch(/^apiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: one\ndata:\n/);
    expect(objects(printed)[0]?.object).toEqual({ ...object, metadata: { name: 'one' } });
  });

  it.each([
    ['a word', 'hello', 'it is not an object'],
    ['a list', '- 1\n- 2', 'it is not an object'],
    ['no version', 'kind: ConfigMap\nmetadata: {name: one}', 'it has no apiVersion'],
    [
      'a version that climbs',
      'apiVersion: ../v1\nkind: ConfigMap\nmetadata: {name: one}',
      'its apiVersion is not one',
    ],
    ['no kind', 'apiVersion: v1\nmetadata: {name: one}', 'it has no kind'],
    ['no metadata', 'apiVersion: v1\nkind: ConfigMap', 'it has no metadata'],
    ['no name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}', 'its metadata has no name'],
    ['a name that is a number', settings('8080'), 'its metadata.name is not text'],
    ['a name to be made up', 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}', 'generateName'],
    ['a key twice', withData('a: x', 'b: y', 'a: z'), 'line 8: it has the key a twice'],
    ['a tag', withData('a: !Ref x'), 'it carries a tag'],
    ['a tag of another language', withData('a: !!js/function x'), 'it carries a tag'],
    ['a number that would be rounded', withData('a: 12345678901234567890'), 'cannot be kept exactly'],
    ['a map as a key', withData('? {a: b}', ': c'), 'a key that is not text'],
    ['an alias of nothing', withData('a: *nowhere'), 'it is not valid YAML'],
    ['something that nests for ever', `a: ${'['.repeat(5000)}`, 'nests'],
    [
      'something that nests deeply',
      `a: ${'['.repeat(300)}${']'.repeat(300)}`,
      'it nests deeper than 100 levels',
    ],
  ])('are not %s', (_what, text, problem) => {
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
  ])('are told of without a word of what stands there: %s', (value) => {
    const told = problems(withData(`password: ${value}`, 'b: c'));
    expect(told).toHaveLength(1);
    expect(told.join()).not.toContain('canary');
  });

  it('are not a document that multiplies itself', () => {
    const levels = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map((pair) => pair.split(''))) {
      levels.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join()}]`);
    }
    expect(problems(withData(...levels))).toEqual([
      'Document 1, line 11: it repeats itself by aliases until it is too large.',
    ]);
  });

  it('are more than are taken, which the one too many tells', () => {
    const item = (index: number): string => `{apiVersion: v1, kind: A, metadata: {name: n${index}}}`;
    const text = Array.from({ length: MAX_OBJECTS + 20 }, (_, index) => item(index)).join('\n---\n');
    return expect(yaml.parseManifests(text)).resolves.toHaveLength(MAX_OBJECTS + 1);
  });

  it('are read in a thread where the text is large', async () => {
    const entries = Array.from({ length: 25_000 }, (_, index) => `k${index}: v`);
    const large = withData(...entries);
    expect(() => parseManifests(large)).toThrow('in a thread');
    const [manifest] = await yaml.parseManifests(large);
    if (!manifest || isBroken(manifest)) throw new Error('the object could not be read');
    expect(Object.keys(manifest.object['data'] as object)).toHaveLength(entries.length);
    const fields = ['data.k20000'];
    expect((await yaml.findFieldLines(large, [{ index: 1, fields }])).get(1)).toBe(20_006);
  });
});
