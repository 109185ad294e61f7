import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { concurrencyLimit } from './concurrency-limit.js';

class FakeResponse extends EventEmitter {
  readonly headers: Record<string, string> = {};
  readonly req = { socket: new EventEmitter() };
  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
}

/** Sends a request. @returns the error of the limit, and the response to end. */
function asker(): (path: string) => { response: FakeResponse; refusal: unknown } {
  const limit = concurrencyLimit();
  return (path) => {
    const response = new FakeResponse();
    let refusal: unknown;
    limit({ path } as Request, response as unknown as Response, (error?: unknown) => (refusal = error));
    return { response, refusal };
  };
}

describe('concurrencyLimit', () => {
  it.each([
    ['/api/v1/diagnostics/bundle', 1],
    ['/api/v1/diagnostics/bundle/', 1],
    ['/api/v1/diagnostics/bundle/content', 1],
    ['/API/v1/clusters/a/node-logs', 2],
    ['/api/v1/clusters/a%2E/node-logs/', 2],
    ['/api/v1/clusters/a/addons/charts', 4],
    ['/api/v1/clusters/a/addons/Charts/', 4],
    ['/api/v1/clusters/a/addons/repositories/uploaded', 4],
    ['/api/v1/journal/export', 2],
    ['/api/search', 16],
    ['/api/export/', 16],
    ['/api/v1/search', 16],
    ['/api/v1/logs/search', 16],
  ])('below %s run %d at once, and again when one has ended', (path, most) => {
    const ask = asker();
    const running = Array.from({ length: most }, () => ask(path));
    expect(running.map(({ refusal }) => refusal)).toEqual(running.map(() => undefined));
    const refused = ask(path);
    expect(refused.refusal).toMatchObject({ code: 'too_many_requests' });
    expect(refused.response.headers['retry-after']).toBe('5');
    running[0]?.response.emit('close');
    expect(ask(path).refusal).toBeUndefined();
  });

  it('does not limit other requests', () => {
    const ask = asker();
    for (let index = 0; index < 100; index += 1) expect(ask('/api/v1/clusters').refusal).toBeUndefined();
  });
});
