import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { waitFor } from '../../../../test/support/wait-for.js';
import { abortOnDisconnect, whenClosed } from './abort-on-disconnect.js';

describe('the end of a response', () => {
  let server: Server;
  let client: Socket;
  let responses: ServerResponse[];

  beforeEach(async () => {
    responses = [];
    server = createServer((_request: IncomingMessage, response) => void responses.push(response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  });

  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function requested(count: number): Promise<ServerResponse[]> {
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
    await waitFor(() => responses.length === count, 'the requests');
    return responses;
  }

  function watch(response: ServerResponse): { calls: number; signal: AbortSignal } {
    const watched = { calls: 0, signal: abortOnDisconnect(response as Response) };
    whenClosed(response, () => (watched.calls += 1));
    return watched;
  }

  it('is seen once when it is complete, which aborts nothing', async () => {
    const [response] = await requested(1);
    if (!response) throw new Error('no request');
    const watched = watch(response);
    response.end('done');
    await waitFor(() => watched.calls > 0, 'the end');
    client.destroy();
    await once(response.req.socket, 'close');
    expect([watched.calls, watched.signal.aborted]).toEqual([1, false]);
  });

  it('is seen if the client left before, such as while a guard looked up its user', async () => {
    const [response] = await requested(1);
    if (!response) throw new Error('no request');
    client.resetAndDestroy();
    await once(response, 'close');
    const watched = watch(response);
    expect([watched.calls, watched.signal.aborted]).toEqual([1, true]);
  });

  it('is seen if the client leaves while the response waits behind another one', async () => {
    const [, second] = await requested(2);
    if (!second) throw new Error('no second request');
    const watched = watch(second);
    client.resetAndDestroy();
    await waitFor(() => watched.calls > 0, 'the end');
    expect([watched.calls, watched.signal.aborted]).toEqual([1, true]);
  });
});
