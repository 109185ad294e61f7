import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The output of a program that failed, recorded by test/real/program-outputs.spec.ts. */
export interface RecordedOutput {
  tool: string;
  version: string;
  name: string;
  run: string;
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The sentence to show. */
  sentence: string;
}

const FILE = join(__dirname, '../../fixtures/program-outputs.json');

export function readOutputs(): RecordedOutput[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as RecordedOutput[];
}

export function writeOutputs(outputs: readonly RecordedOutput[]): void {
  const sorted = outputs.toSorted((one, other) =>
    `${one.tool} ${one.name}`.localeCompare(`${other.tool} ${other.name}`),
  );
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
