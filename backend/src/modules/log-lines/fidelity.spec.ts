import { describe, expect, it } from '@jest/globals';
import { fidelityOf, readCorpus } from '../../../../test/support/logs/fidelity.js';
import { fieldsOf, partsOf } from '../../core/lines/index.js';
import { LEVELS, LineConditions } from '../../core/search/index.js';
import { FIELD_PAIR, readField } from './field-pair.js';
import { levelOf } from './level.js';
import { LineGrouping } from './line-grouping.js';
import { plainText } from './plain-text.js';

const corpus = readCorpus();
const texts = corpus.flatMap(({ lines }) => lines.map(({ text }) => text));

function isFound(text: string, pair: string): boolean {
  const query = { text: null, regex: false, matchCase: false, without: [], levels: null, streams: null };
  const conditions = new LineConditions({ ...query, fields: [readField(pair)], withoutFields: [] });
  return FIELD_PAIR.test(pair) && conditions.acceptText(text);
}

describe('the corpus of lines', () => {
  it('has at least 300 lines of at least 40 formats, with known levels', () => {
    expect(texts.length).toBeGreaterThanOrEqual(300);
    expect(corpus.length).toBeGreaterThanOrEqual(40);
    expect(new Set(texts).size).toBe(texts.length);
    const levels = corpus.flatMap(({ lines }) => lines.map(({ level }) => level));
    expect(
      levels.filter((level) => level !== null && !(LEVELS as readonly string[]).includes(level)),
    ).toEqual([]);
  });

  it('is read as documented: levels 97 %, fields 95 %, messages 100 %, entries 97 %', () => {
    const readers = { levelOf, fieldsOf, partsOf, plainText, LineGrouping };
    const { shares, misses } = fidelityOf(corpus, readers);
    expect(misses.filter(({ what }) => what === 'message')).toEqual([]);
    expect(shares.level).toBeGreaterThanOrEqual(97);
    expect(shares.fields).toBeGreaterThanOrEqual(95);
    expect(shares.entry).toBeGreaterThanOrEqual(97);
  });

  it('finds each line by each of its fields', () => {
    const odd = [
      '{"urn:x:id":"7","two words":"8","":"9","a.b":"10","a":{"b":"11"},"ü":"12"}',
      '{"half":"\ud83d half","tab":"a\\tb","list":["a\\u0000b", 1],"url":"http://a:80/b?c=d:e"}',
      `event='user logged in' quote="say \\"hi\\"" empty= a:b:c=d`,
    ];
    const lost = [...texts, ...odd].flatMap((text) =>
      fieldsOf(text)
        .pairs.map(({ name, value }) => `${name}:${value}`)
        .filter((pair) => !isFound(text, pair)),
    );
    expect(lost).toEqual([]);
    expect(isFound('{"urn:x:id":"7"}', 'urn:x:id:8')).toBe(false);
  });

  it('has the level of the field that has it', () => {
    const differing = texts.filter((text) => {
      const { pairs } = fieldsOf(text);
      const field = pairs.find(({ name }) => name === 'level')?.value;
      const named = LEVELS.find((level) => level === field?.toLowerCase());
      return named !== undefined && levelOf(text) !== named;
    });
    expect(differing).toEqual([]);
  });
});
