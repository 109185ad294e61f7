import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ClientRequests, readStart, type RequestHead } from './forward-requests.js';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const REFUSED = { status: 403, text: 'no' };

/** Sends pieces. @returns what came through, the checked heads, and why it ended */
function sent(
  pieces: readonly (string | Buffer)[],
  refused: (head: RequestHead) => boolean = () => false,
): { passed: string; heads: string[]; error: unknown } {
  const heads: string[] = [];
  const requests = new ClientRequests((head) => {
    heads.push(`${head.method} ${head.url} ${String(head.headers.host)}`);
    return refused(head) ? REFUSED : null;
  });
  let error: unknown = null;
  requests.on('error', (failure) => (error = failure));
  for (const piece of pieces) {
    requests.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }
  const passed = String((requests.read() as Buffer | null) ?? '');
  return { passed, heads, error: requests.errored ?? error };
}

describe('readStart', () => {
  it.each([
    ['a lower-case method', 'get / HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['lines that end without CR', 'GET / HTTP/1.1\nHost: a\n\n'],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['an absolute URL', 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown method', 'M-SEARCH * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('reads %s', (_what, bytes) => {
    expect(readStart(Buffer.from(bytes))).toMatchObject({ headers: { host: 'a' }, length: bytes.length });
  });

  it.each([
    ['a TLS client hello', '\x16\x03\x01\x02\x00\x01\x00'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a start of PostgreSQL', '\x00\x00\x00\x08\x04\xd2\x16\x2f'],
    ['a command of Redis', 'GET key\r\n'],
    ['a request of Redis', '*1\r\n$4\r\nPING\r\n'],
    ['a command of SMTP', 'MAIL FROM:<a@shop.example>\r\n'],
    ['the part of a command with spaces', 'SET key value'],
  ])('takes %s for something else', (_what, bytes) => {
    expect(readStart(Buffer.from(bytes, 'latin1'))).toBe('other');
  });

  it('needs more bytes of a part of a request', () => {
    const starts = [...GET].map((_, index) => readStart(Buffer.from(GET.slice(0, index))));
    expect(new Set(starts)).toEqual(new Set(['line', 'head']));
  });

  it('reports a header that is ambiguous', () => {
    const start = readStart(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'));
    expect(start).toMatchObject({ doubled: 'host' });
  });
});

describe('ClientRequests', () => {
  it('passes each byte unchanged, whatever the pieces are', () => {
    const all = `${GET}POST /x HTTP/1.1\r\nHost: b\r\nContent-Length: 3\r\n\r\nabc\r\n${GET}`;
    const heads = ['GET / a', 'POST /x b', 'GET / a'];
    expect(sent([all])).toEqual({ passed: all, heads, error: null });
    expect(sent([...all])).toEqual({ passed: all, heads, error: null });
  });

  it('checks each request of a connection, and passes no byte of the head of a refused one', () => {
    const { passed, error } = sent(
      [GET, GET.replace('Host: a', 'Host: evil')],
      ({ headers }) => headers.host === 'evil',
    );
    expect([passed, error]).toMatchObject([GET, { response: REFUSED }]);
  });

  it('checks no request in a body', () => {
    const body = GET.replace('Host: a', 'Host: evil');
    const all = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(sent([all], ({ headers }) => headers.host === 'evil')).toMatchObject({ passed: all, error: null });
  });

  it.each(['Upgrade: websocket', 'Transfer-Encoding: chunked'])('follows no requests after %s', (header) => {
    const all = `GET / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\nanything\r\n${GET}`;
    expect(sent([all])).toEqual({ passed: all, heads: ['GET / a'], error: null });
  });

  it('passes what is no HTTP at once, in pieces too', () => {
    expect(sent(['a', 'b', '\x16'])).toMatchObject({ passed: 'ab\x16', heads: [] });
    expect(sent(['lo', 'gin'])).toMatchObject({ passed: 'login' });
    expect(sent(['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', GET])).toMatchObject({ heads: [] });
  });

  it('holds the end of a request line, by which programs act, until the head is checked', () => {
    const { passed, error } = sent(['POS', 'T / HTTP/1.1\r', '\nHost: evil\r\n', '\r\n'], () => true);
    expect([passed, error]).toMatchObject(['POST / HTTP/1.1\r', { response: REFUSED }]);
  });

  it.each([
    ['a head', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}`, 431],
    ['a URL', `GET /${'x'.repeat(70_000)}`, 431],
    ['an ambiguous length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\n', 400],
  ])('refuses %s that it cannot follow', (_what, bytes, status) => {
    expect(sent([bytes]).error).toMatchObject({ response: { status } });
  });

  it('passes a large body piece by piece', async () => {
    const requests = new ClientRequests(() => null);
    const head = Buffer.from('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    requests.write(head);
    requests.end(Buffer.alloc(1_000_000));
    let length = 0;
    requests.on('data', (piece: Buffer) => (length += piece.length));
    await once(requests, 'end');
    expect(length).toBe(head.length + 1_000_000);
  });
});
