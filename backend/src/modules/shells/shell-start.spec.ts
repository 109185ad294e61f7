import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { ProgramEnd, RunningProgram } from '../../drivers/runtime/index.js';
import { meansNoShell } from './shell-command.js';
import { readPid } from './shell-start.js';

function programWith(stream: PassThrough, end: Partial<ProgramEnd> = {}): RunningProgram {
  return {
    stream,
    errorOutput: () => '',
    resize: () => undefined,
    ended: Promise.resolve({ exitCode: null, problem: null, ...end }),
  };
}

describe('readPid', () => {
  it('reads the process id from the first line, which is not part of the output', async () => {
    const stream = new PassThrough();
    const pid = readPid(programWith(stream));
    stream.write('slipway-sh');
    stream.write('ell 4711\r\n/ # ');
    expect(await pid).toBe(4711);
    expect(String(stream.read())).toBe('/ # ');
  });

  it.each([
    ['OCI runtime exec failed: exec: "sh": executable file not found in $PATH\r\n', null, 'executable file'],
    ['', 'the container was deleted', 'the container was deleted'],
    ['slipway-shell 1; kill\r\n', null, 'slipway-shell 1; kill'],
    ['slipway-shell 0\r\n', null, 'slipway-shell 0'],
    ['x'.repeat(10_000), null, 'xxx'],
  ])('throws the reason for %j', async (said, problem, reason) => {
    const stream = new PassThrough();
    stream.end(said);
    await expect(readPid(programWith(stream, { problem }))).rejects.toThrow(reason);
    expect(stream.destroyed).toBe(true);
  });

  it('gives up after the deadline', async () => {
    await expect(readPid(programWith(new PassThrough(), { problem: 'lost' }), 10)).rejects.toThrow('lost');
  });
});

describe('meansNoShell', () => {
  it.each([
    ['exec: "sh": executable file not found in $PATH: unknown', true],
    ['crun: executable file `sh` not found in $PATH: No such file or directory', true],
    ['container is not running', false],
  ])('is right about %j', (text, expected) => {
    expect(meansNoShell(text)).toBe(expected);
  });
});
