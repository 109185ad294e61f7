import type { Request, Response } from 'express';
import { describe, expect, it } from '@jest/globals';
import { strictTransport } from './security-headers.js';

describe('strictTransport', () => {
  const handler = strictTransport(['https://Slipway.test', '']);
  const header = (host: string, encrypted: boolean): string | undefined => {
    let value: string | undefined;
    const request = { headers: { host }, hostname: host.replace(/:\d+$/, ''), socket: { encrypted } };
    const response = { setHeader: (_name: string, set: string) => (value = set) };
    handler(request as never as Request, response as never as Response, () => undefined);
    return value;
  };

  it.each([
    ['slipway.lan:8080', true, true],
    ['slipway.lan:8080', false, false],
    // Behind a proxy that encrypts.
    ['slipway.test', false, true],
    ['slipway.test:8080', false, false],
    ['localhost:8080', true, false],
    ['f-1.localhost:8080', true, false],
    ['notlocalhost', true, true],
    ['127.0.0.1:8080', true, false],
    ['[::1]:8080', true, false],
    ['192.168.1.2', true, false],
  ])('for %s with TLS %s: %s', (host, encrypted, isStrict) => {
    expect(header(host, encrypted)).toBe(isStrict ? 'max-age=31536000' : undefined);
  });
});
