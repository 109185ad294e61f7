import { describe, expect, it } from '@jest/globals';
import { regexHits } from '../../shared/search/regex-hits';
import type { RegexResult } from '../../shared/search/regex-search';
import { RegexVerdicts } from './regex-verdicts';

function verdictsOf(regex: string, answer?: RegexResult): { verdicts: RegexVerdicts; runs: string[][] } {
  const runs: string[][] = [];
  const run = (texts: readonly string[]): Promise<RegexResult> => {
    runs.push([...texts]);
    const hits = regexHits({ regex, matchCase: false, texts, isTest: true });
    return Promise.resolve(answer ?? (Array.isArray(hits) ? hits : 'broken'));
  };
  return { verdicts: new RegexVerdicts({ run, close: () => undefined }), runs };
}

describe('RegexVerdicts', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  it('knows later which texts match, and tests each only once', async () => {
    const { verdicts, runs } = verdictsOf('^B?$');
    expect(['b', 'abc', ''].map((text) => verdicts.of(text))).toEqual([undefined, undefined, undefined]);
    await settled();
    expect(['b', 'abc', ''].map((text) => verdicts.of(text))).toEqual([true, false, true]);
    verdicts.of('new');
    await settled();
    expect(runs).toEqual([['b', 'abc', ''], ['new']]);
    expect(verdicts.version()).toBe(2);
  });

  it('gives up a regex that is too slow or broken, and says so', async () => {
    for (const problem of ['slow', 'broken'] as const) {
      const { verdicts, runs } = verdictsOf('a', problem);
      verdicts.of('a');
      await settled();
      verdicts.of('b');
      await settled();
      expect([verdicts.problem(), runs, verdicts.of('a')]).toEqual([problem, [['a']], undefined]);
    }
  });
});
