import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  kindConfigs,
  recordedAnswers,
  recordingPath,
  type KindAnswer,
} from '../support/kind-configs/corpus.js';
import { askKind, kindVersion } from './support/kind-oracle.js';

/** Needs Go, which builds a program around kind's own decoder. `APP_TEST_RECORD=1` saves its answers. */
describe('answers of kind to the corpus of configs', () => {
  const configs = kindConfigs();
  const version = kindVersion();
  let answers: Record<string, KindAnswer>;

  beforeAll(() => {
    const given = askKind(version, [...configs.values()]);
    answers = Object.fromEntries([...configs.keys()].map((name, index) => [name, given[index] ?? {}]));
    if (process.env['APP_TEST_RECORD'] === '1') {
      // A line for each config, so that a diff shows what kind changes.
      const lines = Object.entries(answers).map(
        ([name, answer]) => `${JSON.stringify(name)}: ${JSON.stringify(answer)}`,
      );
      writeFileSync(recordingPath, `{"kind": "${version}", "answers": {\n${lines.join(',\n')}\n}}\n`);
    }
  }, 300_000);

  it('match the recording', () => {
    const recorded = recordedAnswers();
    expect(recorded.kind).toBe(version);
    expect(Object.keys(recorded.answers)).toEqual(Object.keys(answers));
    const changed = Object.keys(answers).filter(
      (name) => JSON.stringify(answers[name]) !== JSON.stringify(recorded.answers[name]),
    );
    expect(changed).toEqual([]);
  });
});
