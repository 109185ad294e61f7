import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { basePathOf, pathOf, serveBelow } from './base-path.js';

describe('serveBelow', () => {
  it.each([
    ['/slipway', '/'],
    ['/slipway/', '/'],
    ['/slipway?a=1', '/?a=1'],
    ['/slipway/clusters?a=/slipway', '/clusters?a=/slipway'],
    ['/slipway/slipway/x', '/slipway/x'],
    ['/slipways/x', '/slipways/x'],
    ['/clusters', '/clusters'],
    ['/', '/'],
  ])('serves %s as %s', (sent, received) => {
    const server = new EventEmitter() as Server;
    serveBelow(server, '/slipway');
    for (const event of ['request', 'upgrade']) {
      const request = { url: sent } as IncomingMessage;
      server.emit(event, request);
      expect([request.url, basePathOf(request)]).toEqual([received, '/slipway']);
    }
  });

  it('leaves the requests of a server at the root', () => {
    const server = new EventEmitter() as Server;
    serveBelow(server, pathOf('https://slipway.test'));
    const request = { url: '/slipway' } as IncomingMessage;
    server.emit('request', request);
    expect([request.url, basePathOf(request)]).toEqual(['/slipway', '']);
  });
});
