import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CommandError } from '../../backend/src/drivers/process/command-error.js';
import { Provocation } from './outputs/provoke.js';
import { readOutputs, writeOutputs, type RecordedOutput } from '../support/programs/recorded-outputs.js';
import { SCENARIOS, type Scenario } from './outputs/scenarios.js';

jest.setTimeout(3_600_000);

const isRecording = process.env['APP_TEST_RECORD'] === '1';

/** `APP_TEST_RECORD=1` provokes everything, which takes 30 minutes, and saves it. Otherwise, only what takes seconds. */
describe('failures of the programs', () => {
  let provocation: Provocation;

  beforeAll(async () => {
    provocation = await Provocation.prepare();
  });

  afterAll(() => provocation.end());

  it('have the recorded sentence', async () => {
    const known = readOutputs();
    const chosen = SCENARIOS.filter(({ needs, name, tool }) =>
      isRecording
        ? new RegExp(process.env['APP_TEST_OUTPUTS'] ?? '').test(`${tool} ${name}`)
        : needs === undefined,
    );
    if (chosen.some(({ needs }) => needs === 'cluster')) await provocation.createCluster();
    const versions = await provocation.versions();
    const recorded: RecordedOutput[] = [];
    for (const scenario of chosen) {
      const output = await provocation.provoke(scenario);
      const { tool, name, run } = scenario;
      expect([run, output.exitCode]).not.toEqual([run, 0]);
      recorded.push({
        tool,
        version: versions[tool],
        name,
        run,
        ...output,
        sentence: sentenceOf(known, scenario),
      });
      if (isRecording) writeOutputs(merged(known, recorded));
    }
    if (isRecording) return;
    const shown = recorded.map(({ tool, name, ...output }) => [tool, name, stable(reasonOf(output))]);
    expect(shown).toEqual(recorded.map(({ tool, name, sentence }) => [tool, name, stable(sentence)]));
  });
});

function reasonOf({ exitCode, stdout, stderr }: Omit<RecordedOutput, 'tool' | 'name'>): string {
  return new CommandError({ program: 'kind', args: [], failure: 'failed', exitCode, stdout, stderr }).reason;
}

/** Ids differ at each run. */
function stable(text: string): string {
  return text.replace(
    /(?<=lookup \S+ on )\S+:53\b|(?<=on endpoint )\w+|\b[0-9a-f]{12,64}\b|\d{6,}|\d+-\d+-\d+T[\d:]+Z|(?<=usage: )\d+/g,
    'ID',
  );
}

function sentenceOf(known: readonly RecordedOutput[], { tool, name }: Scenario): string {
  return known.find((one) => one.tool === tool && one.name === name)?.sentence ?? '';
}

function merged(known: readonly RecordedOutput[], recorded: readonly RecordedOutput[]): RecordedOutput[] {
  const isNew = (one: RecordedOutput): boolean =>
    recorded.some(({ tool, name }) => tool === one.tool && name === one.name);
  return [...known.filter((one) => !isNew(one)), ...recorded];
}
