import { describe, expect, it } from '@jest/globals';
import { LineCounter } from 'yaml';
import { beside, yamlErrors } from '../../../../test/support/work/functions.js';
import { MAX_ON_MAIN_THREAD, WorkProcess } from '../work/index.js';
import { parseAllYaml, parseYaml, yamlValue } from './parse-yaml.js';

function problems(text: string): [code: string, line: number][] {
  const lines = new LineCounter();
  return parseYaml(text, { lines }).errors.map(({ code, pos }) => [code, lines.linePos(pos[0]).line]);
}

describe('parseYaml', () => {
  it('reports duplicate keys at every level', () => {
    expect(problems('a: 1\nb: 2\na: 3\n')).toEqual([['DUPLICATE_KEY', 3]]);
    expect(problems('a:\n  - b: 1\n    b: 2\n  - b: 1\n')).toEqual([['DUPLICATE_KEY', 3]]);
    expect(problems('x: {a: 1, a: 2}\ny:\n  z: 1\n  z: 2\n')).toEqual([
      ['DUPLICATE_KEY', 1],
      ['DUPLICATE_KEY', 4],
    ]);
    expect(problems('1: a\n"1": b\n')).toEqual([]);
  });

  it('accepts several merge keys in one map', () => {
    const document = parseYaml('a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n', {
      version: '1.1',
    });
    expect(document.errors).toEqual([]);
    expect(document.toJS()).toMatchObject({ c: { x: 1 } });
  });

  it('sorts errors by their place in the text', () => {
    expect(problems('a: 1\na: 2\nb: [\n').map(([code]) => code)[0]).toBe('DUPLICATE_KEY');
    expect(problems('a: "\\z"\nb: 1\nb: 2\n').map(([code]) => code)[0]).not.toBe('DUPLICATE_KEY');
  });

  it('parses several documents, or none', () => {
    const documents = parseAllYaml('a: 1\n---\nb: 1\nb: 2\n');
    expect(documents.map(({ errors }) => errors.length)).toEqual([0, 1]);
    expect(parseAllYaml('')).toEqual([]);
  });

  it('accepts empty documents after a single one', () => {
    expect(problems('a: 1\n---\n# none\n---\n')).toEqual([]);
    expect(problems('a: 1\n...\n')).toEqual([]);
    expect(problems('a: 1\n---\n---\nb\n')).toEqual([['MULTIPLE_DOCS', 3]]);
  });

  it('throws outside a work process for a text above the limit', () => {
    const longest = `a: ${'x'.repeat(MAX_ON_MAIN_THREAD - 3)}`;
    expect(parseYaml(longest).errors).toEqual([]);
    expect(() => parseYaml(`${longest}x`)).toThrow('must be parsed in a work process');
    // The limit is in bytes, not characters.
    expect(() => parseYaml(longest.replace('x', 'ä'))).toThrow('must be parsed in a work process');
    expect(() => parseAllYaml(`${longest}x`)).toThrow('must be parsed in a work process');
  });

  it.each([
    ['lists', `${'['.repeat(101)}${']'.repeat(101)}`],
    // The library alone takes minutes for these.
    ['maps that do not end', '{'.repeat(8000)],
    ['maps', `${'{a: '.repeat(3000)}1${'}'.repeat(3000)}`],
    ['lists in one line', '- '.repeat(8000)],
    ['keys', '? '.repeat(8000)],
    ['aliases', chainOfAliases(120)],
  ])('reports more than 100 levels of %s', (_, text) => {
    expect(parseYaml(text).errors.map(({ code }) => code)).toContain('RESOURCE_EXHAUSTION');
  });

  it('parses the other documents beside one that nests too deeply', () => {
    const documents = parseAllYaml(
      `a: 1\n---\n${'['.repeat(200)}\n---\nb: 2\n`.replace(/\[+/, (open) => open + ']'.repeat(200)),
    );
    expect(documents.map(({ errors }) => errors.length)).toEqual([0, 1, 0]);
  });

  it('reports more than 60,000 values, in a process too', async () => {
    const work = new WorkProcess(beside, 'work', { milliseconds: 20_000, memoryMb: 256 });
    const errorsOf = work.forAnySize(yamlErrors);
    expect(await errorsOf(`[${'1,'.repeat(59_000)}]`)).toEqual([]);
    expect(await errorsOf(`[${'1,'.repeat(61_000)}]`)).toEqual(['Has more than 60000 values']);
  });

  it('accepts 100 levels', () => {
    expect(parseYaml(`${'['.repeat(100)}${']'.repeat(100)}`).errors).toEqual([]);
  });

  it.each([
    ['{{a: 1}: 2}', 'NON_STRING_KEY'],
    ['? [a]\n: 1\n', 'NON_STRING_KEY'],
    ['a: *b\n', 'BAD_ALIAS'],
    ['a: &a [*a]\n', 'BAD_ALIAS'],
    [bombOf(10), 'BAD_ALIAS'],
    [`a: &a ${'x'.repeat(1000)}\nb: [${'*a, '.repeat(300)}]\n`, 'BAD_ALIAS'],
    [`a: &a {x: 1}\nb:\n${'  <<: *a\n'.repeat(1001)}`, 'BAD_ALIAS'],
  ])('reports %j as %s', (text, code) => {
    expect(parseYaml(text, { version: '1.1' }).errors[0]?.code).toBe(code);
  });

  it('expands aliases, with the last anchor of a name', () => {
    expect(yamlValue('a: &a [1]\nb: *a\nc: &a [2]\nd: *a\n')).toEqual({ a: [1], b: [1], c: [2], d: [2] });
  });

  it('turns tags only into data', () => {
    const document = parseYaml('a: !!js/function "() => 1"\nb: !!python/object:os.system x\n');
    expect(document.errors).toEqual([]);
    expect(document.toJS()).toEqual({ a: '() => 1', b: 'x' });
  });
});

/** A flat text with a deep value: each level contains the previous one. */
function chainOfAliases(length: number): string {
  return Array.from({ length }, (_, index) => `- &a${index} [${index === 0 ? '' : `*a${index - 1}`}]\n`).join(
    '',
  );
}

/** Each level repeats the previous one nine times. */
function bombOf(levels: number): string {
  const nine = (index: number): string => Array.from({ length: 9 }, () => `*a${index}`).join(', ');
  return Array.from(
    { length: levels },
    (_, index) => `a${index}: &a${index} [${index === 0 ? 'lol' : nine(index - 1)}]\n`,
  ).join('');
}
