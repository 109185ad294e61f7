import { describe, expect, it } from '@jest/globals';
import { identityOf } from '../../../../test/support/logs/lines.js';
import { countingStore, noSettings } from '../../../../test/support/logs/sources.js';
import type { FollowedLog, LogReader } from './reading/log-reader.js';
import { followLog } from './follow-log.js';
import { SourceRegistry } from './source-registry.js';

const LOG: FollowedLog = {
  wholeSecondTimes: false,
  firstTail: 1,
  open: () => {
    throw new Error('not used by the scripted reader');
  },
};

describe('followLog of a gone source', () => {
  it('reads the log to its end and keeps the source gone', async () => {
    const registry = new SourceRegistry(noSettings());
    registry.open(countingStore());
    const entry = registry.ensure(identityOf('web'));
    registry.setState(entry, 'gone');
    const read: number[] = [];
    const reader: Pick<LogReader, 'read'> = {
      read: (id) => {
        read.push(id);
        return Promise.resolve();
      },
    };
    const following = { registry, reader: reader as LogReader };
    const signal = new AbortController().signal;
    expect(await followLog(following, entry, () => Promise.resolve(LOG), true, signal)).toBe(true);
    expect([read, entry.state]).toEqual([[entry.id], 'gone']);
  });
});
