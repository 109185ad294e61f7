import { describe, expect, it } from '@jest/globals';
import { ENGINE_NAMES, readTranscript } from '../../../../../test/transcripts/transcript.js';
import type { PullProgress } from '../runtime-driver.js';
import type { PullMessage } from './engine-responses.js';
import { PullTracker } from './pull-tracker.js';

const A = 'aaaaaaaaaaaa';
const B = 'bbbbbbbbbbbb';

function track(messages: PullMessage[]): (PullProgress | undefined)[] {
  const tracker = new PullTracker();
  return messages.map((message) => tracker.update(message));
}

function downloading(id: string, current: number, total: number): PullMessage {
  return { id, status: 'Downloading', progressDetail: { current, total } };
}

describe('PullTracker', () => {
  it.each(ENGINE_NAMES)('reaches the total with recorded messages of %s', (engine) => {
    const stream = readTranscript(engine).exchanges.find(({ situation }) => situation === 'pulling')?.stream;
    const seen = track(stream as PullMessage[]).filter((progress) => progress !== undefined);
    const bytes = seen.map(({ pulledBytes }) => pulledBytes);
    expect(bytes).toEqual([...bytes].sort((one, other) => one - other));
    expect(seen.at(-1)).toMatchObject({
      pulledBytes: seen.at(-1)?.totalBytes,
      layersDone: seen.at(-1)?.layers,
    });
  });

  it('adds up layers that are reported one after the other', () => {
    const seen = track([
      { id: A, status: 'Pulling fs layer', progressDetail: {} },
      downloading(A, 10, 100),
      downloading(B, 50, 300),
    ]);
    expect(seen).toEqual([
      { pulledBytes: 0, totalBytes: 0, layers: 1, layersDone: 0 },
      { pulledBytes: 10, totalBytes: 100, layers: 1, layersDone: 0 },
      { pulledBytes: 60, totalBytes: 400, layers: 2, layersDone: 0 },
    ]);
  });

  it('never decreases, also when a layer is retried or extracted', () => {
    const seen = track([
      downloading(A, 90, 100),
      downloading(A, 5, 100),
      { id: A, status: 'Download complete' },
      { id: A, status: 'Extracting', progressDetail: { current: 1, total: 100 } },
      downloading(A, 20, 100),
      { id: A, status: 'Pull complete' },
    ]).flatMap((progress) => progress?.pulledBytes ?? []);
    expect(seen).toEqual([90, 90, 100, 100, 100]);
  });

  it('counts a completed layer once', () => {
    const done = { id: A, status: 'Already exists' };
    expect(track([done, done, done]).at(-1)).toEqual({
      pulledBytes: 0,
      totalBytes: 0,
      layers: 1,
      layersDone: 1,
    });
  });

  it('never exceeds the size of a layer', () => {
    expect(track([downloading(A, 120, 100)])[0]).toMatchObject({ pulledBytes: 100, totalBytes: 100 });
  });

  it.each([
    [{ status: 'Status: Downloaded newer image' }],
    [{ id: 'v1.34.4', status: 'Pulling from kindest/node' }],
    [{ id: `${A}${B}`, status: 'Download complete' }],
    [{}],
  ])('takes %j for no layer', (message) => {
    expect(track([message])).toEqual([undefined]);
  });
});
