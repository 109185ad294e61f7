import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { streamedAnswer } from './streamed-answer.js';

const HEAD = 'HTTP/1.1 200 OK\r\nServer: Docker\r\nTransfer-Encoding: chunked\r\n\r\n';
const UNCHUNKED = 'HTTP/1.1 200 OK\r\nServer: Docker\r\n\r\n';
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

describe('a streamed answer', () => {
  let folder: string;
  let server: Server;
  let asked: string[];
  let answer: (socket: Socket) => void;
  const sockets = new Set<Socket>();
  const path = (): string => join(folder, 'engine.sock');
  const ask = (signal = new AbortController().signal): Promise<AsyncGenerator<Buffer[]>> =>
    streamedAnswer(path(), '/containers/c1/logs?follow=true', signal);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'streamed-answer-'));
    asked = [];
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        asked.push(String(bytes));
        answer(socket);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(path(), resolve);
    });
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    rmSync(folder, { recursive: true });
  });

  const textOf = async (chunks: AsyncGenerator<Buffer[]>): Promise<string> => {
    let text = '';
    for await (const batch of chunks) text += Buffer.concat(batch).toString();
    return text;
  };

  it('gives what follows the head, however it is cut', async () => {
    answer = (socket) => {
      socket.setNoDelay(true);
      const whole = HEAD + chunk('first\n') + chunk('second and longer\n') + END;
      const send = (at: number): void => {
        if (at === whole.length) socket.end();
        else socket.write(whole.charAt(at), () => setImmediate(send, at + 1));
      };
      send(0);
    };
    expect(await textOf(await ask())).toBe('first\nsecond and longer\n');
    expect(asked).toEqual([
      'GET /containers/c1/logs?follow=true HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]);
  });

  it('is whole and in order where it comes as a flood', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of many that come at once\n`);
    answer = (socket) => {
      socket.write(HEAD);
      for (const line of lines) socket.write(chunk(line));
      socket.write(END);
    };
    expect(await textOf(await ask())).toBe(lines.join(''));
  });

  it('has the parts of a line apart for who asks for them', async () => {
    answer = (socket) =>
      socket.end(
        HEAD + chunk('one\n') + chunk('two\n') + chunk('three, ') + chunk('four, ') + chunk('five\n') + END,
      );
    const partsOf = async (tellsParts: boolean): Promise<string[]> => {
      const { signal } = new AbortController();
      const parts: string[] = [];
      for await (const batch of await streamedAnswer(path(), '/logs', signal, tellsParts)) {
        parts.push(...batch.map(String));
      }
      return parts;
    };
    expect(await partsOf(true)).toEqual(['one\ntwo\nthree, ', 'four, ', 'five\n']);
    expect((await partsOf(false)).join('')).toBe('one\ntwo\nthree, four, five\n');
  });

  it('stands still for a reader that does not take it, and goes on for one that does', async () => {
    const size = 16 * 1024 * 1024;
    let sent = 0;
    answer = (socket) => {
      socket.write(UNCHUNKED);
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (sent < size) {
          sent += piece.length;
          if (!socket.write(piece)) {
            socket.once('drain', more);
            return;
          }
        }
        socket.end();
      };
      more();
    };
    const chunks = await ask();
    const first = await chunks.next();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(sent).toBeLessThan(4 * 1024 * 1024);
    const read = Buffer.concat(first.value as Buffer[]).length;
    expect(read + (await textOf(chunks)).length).toBe(size);
  });

  it('refused has the status and the words of the engine', async () => {
    answer = (socket) =>
      socket.end(
        'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n\r\n{"message":"No such container: c1"}',
      );
    await expect(ask()).rejects.toMatchObject({ statusCode: 404, message: 'No such container: c1' });
    answer = (socket) => socket.end('HTTP/1.1 500 Oops\r\n\r\nnot JSON\n');
    await expect(ask()).rejects.toMatchObject({ statusCode: 500, message: 'not JSON' });
  });

  it('that is nothing of HTTP, or has chunks that are none, fails', async () => {
    answer = (socket) => socket.write(Buffer.alloc(200_000, 'x'));
    await expect(ask()).rejects.toThrow('what answers is no engine');
    answer = (socket) => socket.write('SSH-2.0-OpenSSH\r\n\r\n');
    await expect(ask()).rejects.toThrow('what answers is no engine');
    for (const wrong of ['zz\r\n', '\r\n', 'fffffffff\r\n', '1\r\nab\r\n']) {
      answer = (socket) => socket.write(HEAD + wrong);
      const reading = ask().then(textOf);
      await expect(reading).rejects.toThrow('no chunks');
    }
  });

  it('may have lengths with an extension, and a trailer', async () => {
    answer = (socket) =>
      socket.write(`${HEAD}6;name=value\r\nfirst\n\r\n000\r\nExpires: never\r\nX: y\r\n\r\n`);
    expect(await textOf(await ask())).toBe('first\n');
  });

  it('is told to have broken off where its end is missing', async () => {
    answer = (socket) => socket.end(HEAD + chunk('first\n'));
    const chunks = await ask();
    expect(String(((await chunks.next()).value as Buffer[])[0])).toBe('first\n');
    await expect(chunks.next()).rejects.toMatchObject({ code: 'ECONNRESET' });
    answer = (socket) => socket.end(`${UNCHUNKED}first\n`);
    expect(await textOf(await ask())).toBe('first\n');
  });

  it('that never comes fails with a code, as a connection that breaks does', async () => {
    answer = (socket) => socket.end();
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' });
    const nobody = streamedAnswer(join(folder, 'nobody.sock'), '/', new AbortController().signal);
    await expect(nobody).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is left at once by who is told to, before it begins and within it', async () => {
    answer = () => undefined;
    const waiting = new AbortController();
    const nothing = ask(waiting.signal);
    setTimeout(() => waiting.abort(new Error('left')), 20);
    await expect(nothing).rejects.toThrow('left');

    answer = (socket) => socket.write(HEAD + chunk('first\n'));
    const within = new AbortController();
    const chunks = await ask(within.signal);
    expect(String(((await chunks.next()).value as Buffer[])[0])).toBe('first\n');
    setTimeout(() => within.abort(new Error('left')), 20);
    await expect(chunks.next()).rejects.toThrow('left');
    await expect(ask(within.signal)).rejects.toThrow('left');
  });

  it('leaves nothing on the signal of who asked, however it ended', async () => {
    const { signal } = new AbortController();
    for (const said of ['', 'HTTP/1.1 404 Not Found\r\n\r\nno such container', 'SSH-2.0-OpenSSH\r\n\r\n']) {
      answer = (socket) => socket.end(said);
      await expect(ask(signal)).rejects.toThrow();
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
    answer = (socket) => socket.end(HEAD + chunk('first\n') + END);
    expect(await textOf(await ask(signal))).toBe('first\n');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await expect(streamedAnswer(join(folder, 'nobody.sock'), '/', signal)).rejects.toThrow('ENOENT');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('takes no path that could end the first line', async () => {
    const { signal } = new AbortController();
    await expect(streamedAnswer(path(), '/x HTTP/1.1\r\nEvil: yes', signal)).rejects.toThrow('white space');
    expect(asked).toEqual([]);
  });
});
