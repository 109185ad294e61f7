import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  kindConfigs,
  recordedResults,
  recordingPath,
  type KindResult,
} from '../support/kind-configs/corpus.js';
import { runKind, kindVersion } from './support/kind-oracle.js';

/** Needs Go, which builds a program around kind's own decoder. `APP_TEST_RECORD=1` saves its results. */
describe('results of kind for the corpus of configs', () => {
  const configs = kindConfigs();
  const version = kindVersion();
  let results: Record<string, KindResult>;

  beforeAll(() => {
    const given = runKind(version, [...configs.values()]);
    results = Object.fromEntries([...configs.keys()].map((name, index) => [name, given[index] ?? {}]));
    if (process.env['APP_TEST_RECORD'] === '1') {
      // A line for each config, so that a diff shows what kind changes.
      const lines = Object.entries(results).map(
        ([name, result]) => `${JSON.stringify(name)}: ${JSON.stringify(result)}`,
      );
      writeFileSync(recordingPath, `{"kind": "${version}", "results": {\n${lines.join(',\n')}\n}}\n`);
    }
  }, 300_000);

  it('match the recording', () => {
    const recorded = recordedResults();
    expect(recorded.kind).toBe(version);
    expect(Object.keys(recorded.results)).toEqual(Object.keys(results));
    const changed = Object.keys(results).filter(
      (name) => JSON.stringify(results[name]) !== JSON.stringify(recorded.results[name]),
    );
    expect(changed).toEqual([]);
  });
});
