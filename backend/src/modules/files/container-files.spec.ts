import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ProgramEnd, RunningProgram } from '../../drivers/runtime/index.js';
import { ScriptedResources } from '../../../../test/support/kubernetes/scripted-resources.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { ContainerFiles, type Container } from './container-files.js';
import { readListing } from './file-listing.js';

/** A client that does not leave. */
const STAYS = new AbortController().signal;

/** Runs the programs on this machine, as the engine runs them in a container. */
function localContainer(before: readonly string[] = []): Container {
  const api = new ScriptedResources();
  api.execWith = (_pod, { command }) => Promise.resolve(run([...before, ...command]));
  return { api, pod: { namespace: 'shop', name: 'web' }, container: 'web', cluster: 'shop', signal: STAYS };
}

function run([file = '', ...parameters]: readonly string[]): RunningProgram {
  // In a session of its own, as container runtimes start it.
  const child = spawn(file, parameters, { detached: true });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const ended = new Promise<ProgramEnd>((resolve) => {
    // As a container runtime reports it.
    const problem = `exec: "${file}": executable file not found in $PATH`;
    child.on('error', () => resolve({ exitCode: null, problem }));
    child.on('close', (exitCode) => resolve({ exitCode, problem: null }));
  });
  const stream = new Duplex({
    read: () => child.stdout.resume(),
    write: (chunk, _encoding, done) => child.stdin.write(chunk, done),
    destroy: (error, done) => {
      child.stdin.destroy();
      done(error);
    },
  });
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (data) => stream.push(data) || child.stdout.pause());
  void ended.then(() => stream.push(null));
  return { stream, ended, errorOutput: () => errors.trim(), resize: () => undefined };
}

async function* pieces(...all: (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const piece of all) {
    await Promise.resolve();
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

describe('files of a container', () => {
  let folder: string;
  let of: Container;
  const files = new ContainerFiles();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-files-'));
    of = localContainer();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: Buffer, replace = false): Promise<void> =>
    files.write(of, { path: join(folder, name), size: content.length, replace }, pieces(content));

  it('lists directories before files, hidden entries, and what links point to', async () => {
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, '.hidden'), 'abc', { mode: 0o600 });
    writeFileSync(join(folder, '-rf with spaces'), '');
    symlinkSync('sub', join(folder, 'to-sub'));
    symlinkSync('nowhere', join(folder, 'to-nothing'));
    const { entries, omitted } = readListing(await files.list(of, folder));
    expect(omitted).toBe(0);
    expect(entries.map(({ name, type, target }) => [name, type, target])).toEqual([
      ['sub', 'directory', null],
      ['to-sub', 'link', 'directory'],
      ['-rf with spaces', 'file', null],
      ['.hidden', 'file', null],
      ['to-nothing', 'link', 'missing'],
    ]);
    expect(entries.find(({ name }) => name === '.hidden')).toMatchObject({ size: 3, mode: '0600' });
  });

  it('lists an empty directory', async () => {
    expect(readListing(await files.list(of, folder))).toEqual({ entries: [], omitted: 0 });
  });

  it('reads what it has written, byte by byte', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    await write("quote'$(touch x)", content);
    const path = join(folder, "quote'$(touch x)");
    expect(readFileSync(path).equals(content)).toBe(true);
    expect((await files.head(of, path, 100)).equals(content.subarray(0, 100))).toBe(true);
    const chunks: Buffer[] = [];
    for await (const chunk of files.read(of, path, false)) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  it('replaces a file only on request, and keeps its mode', async () => {
    writeFileSync(join(folder, 'run.sh'), 'old', { mode: 0o755 });
    await expect(write('run.sh', Buffer.from('new'))).rejects.toMatchObject({ code: 'file_exists' });
    expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toBe('old');
    await write('run.sh', Buffer.from('new'), true);
    const [entry] = readListing(await files.list(of, folder)).entries;
    expect(entry).toMatchObject({ name: 'run.sh', mode: '0755', size: 3 });
  });

  it('changes nothing if the upload is interrupted, and leaves no part of it', async () => {
    writeFileSync(join(folder, 'kept'), 'old');
    const source = pieces(Buffer.from('half'), new Error('the client has left'));
    const target = { path: join(folder, 'kept'), size: 100, replace: true };
    await expect(files.write(of, target, source)).rejects.toMatchObject({ code: 'file_refused' });
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('old');
    await waitFor(() => readdirSync(folder).length === 1, 'the end of the script');
  });

  const packed = async (name: string, ...tar: string[]): Promise<string> => {
    const archive: Buffer[] = [];
    for await (const chunk of files.read(of, join(folder, name), true)) archive.push(chunk);
    const unpack = spawn('tar', tar);
    unpack.stdin.end(Buffer.concat(archive));
    return (await buffer(unpack.stdout)).toString();
  };

  it.each(['sub', '..data', 'to-link', '-rf'])('packs the directory %s under its name', async (name) => {
    mkdirSync(join(folder, 'sub', 'inner'), { recursive: true });
    writeFileSync(join(folder, 'sub', 'a'), 'content');
    symlinkSync('../nowhere/./x', join(folder, 'sub', 'inner', 'link'));
    symlinkSync('sub', join(folder, '..data'));
    symlinkSync('..data', join(folder, 'to-link'));
    mkdirSync(join(folder, '-rf'));
    writeFileSync(join(folder, '-rf', 'a'), 'content');
    expect(await files.isDirectory(of, join(folder, name))).toBe(true);
    expect(await packed(name, '-xOf', '-', '--', `${name}/a`)).toBe('content');
    const listed = await packed(name, '-tvf', '-');
    if (name !== '-rf') expect(listed).toContain(` ${name}/inner/link -> ../nowhere/./x\n`);
  });

  it.each([
    ['a line break', 'new\nline\n'],
    ['a byte that is not UTF-8', Buffer.from('bad\xff', 'latin1')],
    ['what looks like such a byte', 'bad\\xFF'],
    ['escapes of printf', 'a\\n%s\\0101\\c'],
  ])('lists and opens a name with %s', async (_, name) => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), 'found');
    const { entries } = readListing(await files.list(of, folder));
    expect(entries.map(({ type }) => type)).toEqual(['file']);
    const path = join(folder, entries[0]?.name ?? '');
    expect((await files.head(of, path, 100)).toString()).toBe('found');
    const content = Buffer.from('replaced');
    await files.write(of, { path, size: content.length, replace: true }, pieces(content));
    expect(readdirSync(folder, 'buffer')).toEqual([Buffer.from(name)]);
  });

  it.each([
    ['list', 'nothing', 'file_not_found'],
    ['list', 'dangling', 'file_not_found'],
    ['head', 'loop', 'file_not_found'],
    ['list', 'file', 'file_refused'],
    ['head', 'nothing', 'file_not_found'],
    ['head', '', 'file_refused'],
    ['write', 'nothing/in/it', 'file_not_found'],
    ['write', '', 'file_refused'],
  ])('rejects to %s "%s"', async (program, name, code) => {
    writeFileSync(join(folder, 'file'), 'x');
    symlinkSync('nowhere', join(folder, 'dangling'));
    symlinkSync('loop', join(folder, 'loop'));
    const path = name === '' ? folder : join(folder, name);
    const work =
      program === 'list'
        ? files.list(of, path)
        : program === 'head'
          ? files.head(of, path, 10)
          : files.write(of, { path, size: 1, replace: true }, pieces(Buffer.from('x')));
    await expect(work).rejects.toMatchObject({ code });
  });

  it('does not wait for a device', async () => {
    await expect(files.head(of, '/dev/zero', 10)).rejects.toMatchObject({ code: 'file_refused' });
  });
});

/** Programs that print their process id, and then nothing. */
function hangingContainer(): { of: Container; ended: string[] } {
  const api = new ScriptedResources();
  const ended: string[] = [];
  let pid = 100;
  api.execWith = (_pod, { command }) => {
    const isEnd = command.at(-2) === 'sh';
    const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
    const stream = new Duplex({
      read: () => undefined,
      // Accepts nothing.
      write: () => undefined,
      destroy: (error, done) => {
        resolve({ exitCode: null, problem: 'closed' });
        done(error);
      },
    });
    if (isEnd) {
      ended.push(String(command.at(-1)));
      stream.push(null);
      resolve({ exitCode: 0, problem: null });
    } else stream.push(`slipway-shell ${(pid += 1)}\n`);
    return Promise.resolve({ stream, ended: promise, errorOutput: () => '', resize: () => undefined });
  };
  return {
    of: { api, pod: { namespace: 'shop', name: 'web' }, container: 'web', cluster: 'shop', signal: STAYS },
    ended,
  };
}

describe('a program that hangs', () => {
  const files = new ContainerFiles();
  const OPEN = {
    list: (of: Container): Promise<unknown> => files.list(of, '/x'),
    head: (of: Container): Promise<unknown> => files.head(of, '/x', 10),
    read: (of: Container): Promise<unknown> => files.read(of, '/x', false).next(),
    pack: (of: Container): Promise<unknown> => files.read(of, '/x', true).next(),
    write: (of: Container): Promise<unknown> =>
      files.write(of, { path: '/x', size: 100_000, replace: true }, pieces(Buffer.alloc(100_000))),
  };

  it.each(Object.keys(OPEN) as (keyof typeof OPEN)[])(
    'gives its slot back when the client of %s leaves, and is ended',
    async (kind) => {
      const { of, ended } = hangingContainer();
      const leave = new AbortController();
      const all = Array.from({ length: 16 }, () => OPEN[kind]({ ...of, signal: leave.signal }));
      const results = Promise.allSettled(all);
      await expect(OPEN[kind]({ ...of, signal: leave.signal })).rejects.toMatchObject({
        code: 'too_many_requests',
      });
      await new Promise(setImmediate);
      leave.abort();
      for (const { status } of await results) expect(status).toBe('rejected');
      expect(ended.sort()).toEqual(Array.from({ length: 16 }, (_, index) => String(101 + index)));
      const folder = mkdtempSync(join(tmpdir(), 'slipway-files-'));
      expect(readListing(await files.list(localContainer(), folder)).entries).toEqual([]);
      rmSync(folder, { recursive: true });
    },
  );

  it('leaves slots for other clusters', async () => {
    const { of } = hangingContainer();
    const leave = new AbortController();
    const all = Promise.allSettled(
      Array.from({ length: 16 }, () => OPEN.list({ ...of, signal: leave.signal })),
    );
    const other = hangingContainer().of;
    const last = OPEN.list({ ...other, cluster: 'other', signal: leave.signal });
    leave.abort();
    await expect(last).rejects.toMatchObject({ code: 'file_refused' });
    await all;
  });

  it.each([
    ['read', 30_000],
    ['list', 15_000],
    ['write', 30_000],
  ] as const)('ends %s after a deadline of %i ms', async (kind, milliseconds) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    const { of, ended } = hangingContainer();
    let reason: unknown;
    const opened = OPEN[kind](of).catch((error: unknown) => (reason = error));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    jest.advanceTimersByTime(milliseconds - 1);
    await new Promise(setImmediate);
    expect(reason).toBeUndefined();
    jest.advanceTimersByTime(1);
    await opened;
    jest.useRealTimers();
    expect(reason).toMatchObject({ code: 'file_refused' });
    expect(ended).toEqual(['101']);
  });
});

describe('an image without a shell', () => {
  it('is named as the reason', async () => {
    const of = localContainer(['no-such-shell']);
    const listing = new ContainerFiles().list(of, '/');
    await expect(listing).rejects.toMatchObject({ code: 'file_tools_missing' });
  });
});

describe('a listing', () => {
  const listed = (names: readonly string[], own: string, followed = ''): Buffer =>
    Buffer.from([...names, '', own, followed].join('\0'), 'latin1');

  it('is cut at a limit, and ignores names without properties', () => {
    const names = Array.from({ length: 5001 }, (_, index) => `f${String(index).padStart(4, '0')}`);
    const lines = names.map((name) => `81a4/1/0/${name}\n`).join('');
    const { entries, omitted } = readListing(listed(['.', 'gone', ...names], `41ed/1/0/.\n${lines}`));
    expect([entries.length, omitted, entries[0]?.name]).toEqual([5000, 1, 'f0000']);
  });

  it.each([
    ['-43200', '1969-12-31T12:00:00.000Z'],
    // As busybox prints it on some systems.
    ['18446744073709508416', '1969-12-31T12:00:00.000Z'],
    ['2208988800', '2040-01-01T00:00:00.000Z'],
    ['9223372036854775807', '+275760-09-13T00:00:00.000Z'],
  ])('reads the time %s', (seconds, time) => {
    const { entries } = readListing(listed(['a'], `81a4/1/${seconds}/a\n`));
    expect(entries.map(({ modified_at }) => modified_at)).toEqual([time]);
  });

  it('tells a name with a line break from the entry that it looks like', () => {
    const odd = 'a\n81a4/1/0/b';
    const { entries } = readListing(listed([odd, 'c'], `81a4/1/0/${odd}\n81a4/2/0/c\n`));
    expect(entries.map(({ name, size }) => [name, size])).toEqual([
      [odd, 1],
      ['c', 2],
    ]);
  });

  it('gives each name its own text', () => {
    const bytes = ['bad\xff', 'bad\\xFF', 'bad\xfe', 'bad\\x5CxFF', '\xc3\xbc\\xff', '\xff\\xFE\xc3', '\\'];
    const { entries } = readListing(listed(bytes, bytes.map((name) => `81a4/1/0/${name}\n`).join('')));
    expect(entries.map(({ name }) => name).sort()).toEqual(
      ['bad\\xFF', 'bad\\x5CxFF', 'bad\\xFE', 'bad\\x5Cx5CxFF', 'ü\\xff', '\\xFF\\x5CxFE\\xC3', '\\'].sort(),
    );
  });
});
