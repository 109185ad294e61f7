import type { IncomingHttpHeaders } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import type { OwnResponse } from './own-response.js';

/** The URLs of dashboards contain queries. */
export const MAX_HEADER_BYTES = 64 * 1024;
const EMPTY = Buffer.alloc(0);
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const VERSION = /^HTTP\/1\.\d$/;
/** Headers that browsers send once; twice they are ambiguous. */
const SINGLE = ['host', 'origin', 'content-length', 'sec-fetch-site'];

/** The head of an HTTP/1 request as it was sent. */
export interface RequestHead {
  method: string;
  /** Of the request line. */
  url: string;
  isHttp10: boolean;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  /** A header that may occur once and occurs twice. */
  doubled: string | null;
  /** Its size in bytes. */
  length: number;
}

/** `line`, `head`: more bytes are needed to know. `other`: it is no HTTP/1 request. */
type Start = RequestHead | 'line' | 'head' | 'other';

/** The protocol of a client, from its first bytes. Lenient, as programs are: every request line of HTTP/1 counts. */
export function readStart(bytes: Buffer): Start {
  const lineEnd = bytes.indexOf('\n');
  const line = bytes.toString('latin1', 0, lineEnd < 0 ? bytes.length : lineEnd).trimEnd();
  const methodEnd = line.indexOf(' ');
  const method = methodEnd < 0 ? line : line.slice(0, methodEnd);
  if (!METHOD.test(method)) return bytes.length === 0 ? 'line' : 'other';
  if (lineEnd < 0) return isPartOfLine(line, methodEnd) ? 'line' : 'other';
  const urlEnd = line.lastIndexOf(' ');
  const version = line.slice(urlEnd + 1);
  if (urlEnd <= methodEnd || !VERSION.test(version)) return 'other';
  const length = endOfHead(bytes, lineEnd);
  if (length < 0) return 'head';
  const headers: IncomingHttpHeaders = {};
  let doubled: string | null = null;
  for (const header of bytes.toString('latin1', lineEnd + 1, length).split('\n')) {
    const colon = header.indexOf(':');
    if (colon < 0) continue;
    const name = header.slice(0, colon).trim().toLowerCase();
    if (SINGLE.includes(name) && headers[name] !== undefined) doubled = name;
    headers[name] = header.slice(colon + 1).trim();
  }
  const url = line.slice(methodEnd + 1, urlEnd).trim();
  return { method, url, isHttp10: version === 'HTTP/1.0', headers, doubled, length };
}

/** Whether a request line can begin so. The URLs of browsers have no spaces. */
function isPartOfLine(line: string, methodEnd: number): boolean {
  const urlEnd = methodEnd < 0 ? -1 : line.indexOf(' ', methodEnd + 1);
  const version = line.slice(urlEnd + 1, urlEnd + 8);
  return urlEnd < 0 || 'HTTP/1.'.startsWith(version);
}

/** After the empty line that ends a head; -1 if it has not come. */
function endOfHead(bytes: Buffer, lineEnd: number): number {
  const ends = ['\n\r\n', '\n\n'].flatMap((end) => {
    const at = bytes.indexOf(end, lineEnd);
    return at < 0 ? [] : [at + end.length];
  });
  return ends.length > 0 ? Math.min(...ends) : -1;
}

/** A request that does not go to the Pod. */
export class RequestRefused extends Error {
  constructor(readonly response: OwnResponse) {
    super(response.text);
  }
}

/**
 * Passes the bytes of a client on unchanged, and fails with `RequestRefused` before the head of a request that `check`
 * rejects. It checks every request of a connection: a browser reuses one for pages of different sites. What is no HTTP
 * passes at once, and all that follows it: browsers send nothing else.
 */
export class ClientRequests extends Transform {
  /** Part of a request line or head. */
  private held: Buffer = EMPTY;
  /** Bytes of it that were passed on. A program does not act on a part of the first line. */
  private passed = 0;
  /** Bytes that the body of the current request still has. */
  private body = 0;
  private isOther = false;

  constructor(private readonly check: (head: RequestHead) => OwnResponse | null) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      let rest = chunk;
      while (rest.length > 0) rest = this.next(rest);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** @returns the bytes that follow */
  private next(chunk: Buffer): Buffer {
    if (this.isOther) return this.release(chunk, chunk.length);
    if (this.body > 0) {
      const length = Math.min(this.body, chunk.length);
      this.body -= length;
      return this.release(chunk, length);
    }
    // Servers ignore empty lines before a request.
    const blank = this.held.length === 0 ? chunk.findIndex((byte) => byte !== 10 && byte !== 13) : 0;
    if (blank !== 0) return this.release(chunk, blank < 0 ? chunk.length : blank);
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const start = readStart(bytes);
    if (typeof start === 'object') {
      const response = this.check(start);
      if (response) throw new RequestRefused(response);
      this.follow(start);
      return this.release(bytes, start.length);
    }
    if (start === 'other') {
      this.isOther = true;
      return this.release(bytes, bytes.length);
    }
    if (bytes.length > MAX_HEADER_BYTES) {
      throw new RequestRefused({ status: 431, text: 'The head of the request is too large.' });
    }
    if (start === 'line') this.release(bytes, bytes.length);
    this.passed = start === 'line' ? bytes.length : this.passed;
    this.held = bytes;
    return EMPTY;
  }

  /** Finds the end of the body. Browsers send a length, and upgrade to WebSockets only. */
  private follow({ method, headers, isHttp10 }: RequestHead): void {
    const isUnknown =
      method === 'CONNECT' ||
      headers['transfer-encoding'] !== undefined ||
      headers.upgrade !== undefined ||
      (isHttp10 && headers.host === undefined);
    if (isUnknown) this.isOther = true;
    else this.body = lengthOf(headers['content-length']);
  }

  private release(bytes: Buffer, length: number): Buffer {
    this.push(bytes.subarray(this.passed, length));
    this.held = EMPTY;
    this.passed = 0;
    return bytes.subarray(length);
  }
}

function lengthOf(header = '0'): number {
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new RequestRefused({ status: 400, text: 'The length of the request is invalid.' });
}
