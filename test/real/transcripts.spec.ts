import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDrift } from '../transcripts/drift.js';
import { recordEngine } from '../transcripts/record-engine.js';
import { recordLogs } from '../transcripts/record-logs.js';
import {
  findLogDrift,
  readLogTranscript,
  writeLogTranscript,
  type LogTranscript,
} from '../transcripts/recorded-logs.js';
import { readTranscript, writeTranscript, type Transcript } from '../transcripts/transcript.js';
import { realEngines } from './real-engines.js';

/** It takes 90 s on an idle machine, and several times as long on a busy one. */
const DEADLINE_MS = 600_000;

/** Records what the scripted engines and kind replay, and compares. `APP_TEST_RECORD=1` saves the new transcript. */
describe.each(realEngines())('API responses of $engine and output of kind', (real) => {
  let folder: string;
  let recorded: Transcript;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rec-'));
    recorded = await recordEngine(real, folder);
    if (process.env['APP_TEST_RECORD'] === '1') writeTranscript(recorded);
  }, DEADLINE_MS);

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('match the transcript', () => {
    expect(findDrift(readTranscript(real.engine), recorded)).toEqual([]);
  });

  it('contain at least two byte counts of a pull', () => {
    const pull = recorded.exchanges.find(({ situation }) => situation === 'pulling')?.stream ?? [];
    const bytes = pull.map(
      (message) => (message as { progressDetail?: { current?: number } }).progressDetail?.current ?? 0,
    );
    expect(new Set(bytes.filter((count) => count > 0)).size).toBeGreaterThanOrEqual(2);
  });

  it('contain no secret', () => {
    const text = JSON.stringify(recorded);
    expect(text).not.toMatch(/LS0tLS1CRUdJTi|BEGIN [A-Z ]*(CERTIFICATE|KEY)|\b[a-z0-9]{6}\.[a-z0-9]{16}\b/);
  });
});

describe.each(realEngines())('log streams of $engine', (real) => {
  let folder: string;
  let recorded: LogTranscript;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rec-logs-'));
    recorded = await recordLogs(real, folder);
    if (process.env['APP_TEST_RECORD'] === '1') writeLogTranscript(recorded);
  }, DEADLINE_MS);

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('match the transcript', () => {
    expect(findLogDrift(readLogTranscript(real.engine), recorded)).toEqual([]);
  });
});
