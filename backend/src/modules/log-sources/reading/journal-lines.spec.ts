import { describe, expect, it } from '@jest/globals';
import { JournalLines } from './journal-lines.js';

function entry(fields: Record<string, unknown>): string {
  return JSON.stringify({
    __CURSOR: 's=1',
    __REALTIME_TIMESTAMP: '1795254242117003',
    _SYSTEMD_UNIT: 'kubelet.service',
    ...fields,
  });
}

function parse(...entries: string[]): (string | number | boolean | null)[][] {
  return new JournalLines()
    .take(entries)
    .map(({ service, line }) => [service, line.time, line.level, line.text, line.continues]);
}

describe('JournalLines', () => {
  it('assigns entries to services and takes the level from the text or the priority', () => {
    expect(
      parse(
        entry({ MESSAGE: 'E1121 09:44:02.117003 1 x.go:1] "Sync failed"', PRIORITY: '6' }),
        entry({
          _SYSTEMD_UNIT: 'containerd.service',
          MESSAGE: 'time="x" level=warning msg=y',
          PRIORITY: '6',
        }),
        entry({ MESSAGE: 'starts', PRIORITY: '3', SYSLOG_IDENTIFIER: 'kubelet' }),
        entry({ _SYSTEMD_UNIT: 'init.scope', SYSLOG_IDENTIFIER: 'systemd', MESSAGE: 'Started containerd.' }),
      ),
    ).toEqual([
      ['kubelet', 1795254242117003, 'error', 'E1121 09:44:02.117003 1 x.go:1] "Sync failed"', false],
      ['containerd', 1795254242117003, 'warn', 'time="x" level=warning msg=y', false],
      ['kubelet', 1795254242117003, 'error', 'starts', false],
      ['containerd', 1795254242117003, null, 'Started containerd.', false],
    ]);
  });

  it('splits a multi-line entry into continuation lines', () => {
    const lines = parse(
      entry({ MESSAGE: 'panic: gone\n\ngoroutine 1 [running]:\n', PRIORITY: '3' }),
      entry({ MESSAGE: '\tmain.go:7', PRIORITY: '6' }),
      entry({ MESSAGE: 'next', PRIORITY: '6' }),
    );
    expect(lines.map(([, , level, text, continues]) => [text, continues, level])).toEqual([
      ['panic: gone', false, 'fatal'],
      ['', true, 'fatal'],
      ['goroutine 1 [running]:', true, 'fatal'],
      ['\tmain.go:7', true, 'fatal'],
      ['next', false, 'info'],
    ]);
  });

  it('escapes bytes that are not UTF-8', () => {
    expect(parse(entry({ MESSAGE: [99, 97, 102, 0xe9] })).map(([, , , text]) => text)).toEqual(['caf\\xE9']);
  });

  it.each(['', 'No journal files were found.', '[]', 'null', entry({ MESSAGE: null }), '{"MESSAGE":"x"}'])(
    'skips %j',
    (text) => {
      expect(parse(text)).toEqual([]);
    },
  );
});
