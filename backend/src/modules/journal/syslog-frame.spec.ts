import { describe, expect, it } from '@jest/globals';
import type { JournalEntry } from './journal-entry.js';
import { syslogFrame } from './syslog-frame.js';

const ENTRY: JournalEntry = {
  id: 7,
  time: '2026-11-30T02:00:00.123Z',
  kind: 'cluster-delete',
  cluster: 'shop',
  runtime: 'docker',
  subject: null,
  outcome: 'succeeded',
  message: 'Deleted “shop”.\nDone 🚢',
  job_id: 3,
  duration_ms: 10,
  actor: { kind: 'session', user: 'admin', id: 'abc', name: null, address: '192.0.2.7' },
};

describe('syslogFrame', () => {
  it('is one line of ASCII with the number of its octets, and the entry as JSON', () => {
    const frame = syslogFrame(ENTRY, 'host.test');
    const [, octets, message = ''] = /^(\d+) (.*)$/.exec(frame) ?? [];
    expect(Buffer.byteLength(message)).toBe(Number(octets));
    expect(message).toMatch(/^[ -~]+$/);
    const head = `<110>1 2026-11-30T02:00:00.123Z host.test slipway ${process.pid} cluster-delete - `;
    expect(message.startsWith(head)).toBe(true);
    expect(JSON.parse(message.slice(head.length))).toEqual(ENTRY);
  });

  it.each([
    ['started', 110],
    ['failed', 108],
    ['interrupted', 108],
  ] as const)('has the priority of the outcome %s', (outcome, priority) => {
    expect(syslogFrame({ ...ENTRY, outcome })).toContain(` <${priority}>1 `);
  });

  it('keeps other characters out of the header', () => {
    expect(syslogFrame({ ...ENTRY, kind: 'a b\n'.repeat(20) }, 'hôst one')).toMatch(
      new RegExp(`Z hstone slipway ${process.pid} (?:ab){16} - \\{`),
    );
    expect(syslogFrame(ENTRY, '')).toContain('Z - slipway');
  });
});
