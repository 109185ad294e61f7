import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { parsePs, parseStat, ProcessTable } from './process-table.js';

/** Both ways of reading one system; `ps` stands in for systems without /proc. */
const TABLES = [
  ['as on this platform', process.platform],
  ['through ps, as on the BSDs', 'freebsd'],
] as const;

describe.each(TABLES)('the process table %s', (_, platform) => {
  const table = ProcessTable.forPlatform(platform);

  it('recognises a process by its start, and no other', async () => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const pid = child.pid ?? 0;
    try {
      const started = table.started(pid);
      expect(started).toBeTruthy();
      expect(table.started(pid)).toBe(started);
      const entry = (await table.list()).find((candidate) => candidate.pid === pid);
      expect(entry).toMatchObject({ pid, group: pid, started });
      expect(entry?.name).toMatch(/sleep$/);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect(table.started(pid)).toBeUndefined();
    expect((await table.list()).some((candidate) => candidate.pid === pid)).toBe(false);
  });

  it('has one boot id for as long as the system runs', () => {
    expect(table.bootId()).toBe(ProcessTable.forPlatform(platform).bootId());
  });
});

describe('what ps says', () => {
  it('is read as macOS writes it', () => {
    const text = [
      '    1     1 Ss   Mon Nov  2 09:08:07 2026     /sbin/launchd',
      '  512   510 S+   Sat Nov 21 11:12:13 2026     /Applications/Some App.app/Contents/MacOS/kind',
      '  600   600 Z    Sat Nov 21 11:12:13 2026     (zombie)',
      'nonsense',
      '',
    ].join('\n');
    expect(parsePs(text)).toEqual([
      { pid: 1, group: 1, started: 'Mon Nov 2 09:08:07 2026', name: '/sbin/launchd' },
      {
        pid: 512,
        group: 510,
        started: 'Sat Nov 21 11:12:13 2026',
        name: '/Applications/Some App.app/Contents/MacOS/kind',
      },
    ]);
  });
});

describe('what /proc says', () => {
  const FIELDS = 'S 1 42 42 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 987654 1 1';

  it.each(['kind', 'a b', 'evil) S 1 1', '((('])('is read for a process called "%s"', (name) => {
    expect(parseStat(`77 (${name}) ${FIELDS}`)).toEqual({ name, state: 'S', group: 42, started: '987654' });
  });

  it('is nothing where it is not understood', () => {
    expect(parseStat('')).toBeUndefined();
  });
});
