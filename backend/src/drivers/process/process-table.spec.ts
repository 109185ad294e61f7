import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { parsePs, parseStart, parseStat, ProcessTable } from './process-table.js';

/** Both implementations on one system. */
const TABLES = [
  ['of this platform', process.platform],
  ['with ps, as on BSD', 'freebsd'],
] as const;

describe.each(TABLES)('ProcessTable %s', (_, platform) => {
  const table = ProcessTable.forPlatform(platform);

  it('identifies a running process by its start time', async () => {
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

  it('returns the same boot id until a reboot', () => {
    expect(table.bootId()).toBe(ProcessTable.forPlatform(platform).bootId());
  });
});

describe('parsePs', () => {
  it('parses the output of macOS', () => {
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

describe('parseStart', () => {
  it.each(['Mon Nov  2 09:08:07 2026', 'Sat Nov 21 11:12:13 2026'])('gives "%s" as a list does', (start) => {
    const [entry] = parsePs(`1 1 S ${start} kind`);
    expect(parseStart(`${start}    \n`)).toBe(entry?.started);
  });
});

describe('parseStat', () => {
  const FIELDS = 'S 1 42 42 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 987654 1 1';

  it.each(['kind', 'a b', 'evil) S 1 1', '((('])('parses the process name "%s"', (name) => {
    expect(parseStat(`77 (${name}) ${FIELDS}`)).toEqual({ name, state: 'S', group: 42, started: '987654' });
  });

  it('returns undefined for an invalid text', () => {
    expect(parseStat('')).toBeUndefined();
  });
});
