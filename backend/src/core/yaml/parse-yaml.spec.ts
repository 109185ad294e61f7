import { describe, expect, it } from '@jest/globals';
import { LineCounter } from 'yaml';
import { parseAllYaml, parseYaml } from './parse-yaml.js';

function problems(text: string): [code: string, line: number][] {
  const lines = new LineCounter();
  return parseYaml(text, { lines }).errors.map(({ code, pos }) => [code, lines.linePos(pos[0]).line]);
}

describe('a text of YAML', () => {
  it('has each key of a map once, wherever the map is', () => {
    expect(problems('a: 1\nb: 2\na: 3\n')).toEqual([['DUPLICATE_KEY', 3]]);
    expect(problems('a:\n  - b: 1\n    b: 2\n  - b: 1\n')).toEqual([['DUPLICATE_KEY', 3]]);
    expect(problems('x: {a: 1, a: 2}\ny:\n  z: 1\n  z: 2\n')).toEqual([
      ['DUPLICATE_KEY', 1],
      ['DUPLICATE_KEY', 4],
    ]);
    expect(problems('1: a\n"1": b\n')).toEqual([]);
  });

  it('may merge several maps', () => {
    const document = parseYaml('a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n', {
      version: '1.1',
    });
    expect(document.errors).toEqual([]);
    expect(document.toJS()).toMatchObject({ c: { x: 1 } });
  });

  it('says what is wrong first in the order of the text', () => {
    expect(problems('a: 1\na: 2\nb: [\n').map(([code]) => code)[0]).toBe('DUPLICATE_KEY');
    expect(problems('a: "\\z"\nb: 1\nb: 2\n').map(([code]) => code)[0]).not.toBe('DUPLICATE_KEY');
  });

  it('may have several documents, or none', () => {
    const documents = parseAllYaml('a: 1\n---\nb: 1\nb: 2\n');
    expect(documents.map(({ errors }) => errors.length)).toEqual([0, 1]);
    expect(parseAllYaml('')).toEqual([]);
  });

  it('is parsed in linear time, however many keys a map has', () => {
    const keys = (count: number): string =>
      Array.from({ length: count }, (_, index) => `${index}k:\n`).join('');
    const took = (count: number): number => {
      const begin = performance.now();
      expect(parseYaml(keys(count)).errors).toEqual([]);
      return performance.now() - begin;
    };
    took(2000);
    // Quadratic, it would be 256 times as long and take minutes.
    expect(took(80_000)).toBeLessThan(60 * took(5000) + 1000);
  });

  it('may nest as deep as it likes', () => {
    expect(() => parseYaml(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)).not.toThrow();
  });
});
