import { get, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCluster } from '../support/app/clusters.js';
import { ShellSocket } from '../support/app/shell-socket.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

/** Slots of one cluster. */
const SHELLS = 32;
const POD_LOGS = 64;

describe('slots of absent clients', () => {
  let app: TestApp;
  let pod: string;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop');
    const { rows } = await app.client.get<{ rows: { name: string }[] }>(
      '/api/v1/clusters/shop/resources/core/v1/pods?namespace=shop',
    );
    pod = rows[0]?.name ?? '';
  });

  afterAll(async () => await app.stop());

  it('of shells are given back: 32 are left, and one more opens', async () => {
    const query = new URLSearchParams({ target: 'container', namespace: 'shop', pod }).toString();
    const url = `ws://localhost:${app.port}/api/v1/clusters/shop/shells?${query}`;
    const open = (): Promise<ShellSocket> => ShellSocket.open(url);
    const types = ({ messages }: ShellSocket): string[] => messages.map(({ type }) => type);
    const all = await Promise.all(Array.from({ length: SHELLS }, open));
    await waitFor(() => all.every((shell) => types(shell).includes('ready')), 'all shells');
    const refused = await open();
    await waitFor(() => refused.closed !== undefined, 'the refusal');
    expect(refused.messages).toMatchObject([{ type: 'error', code: 'too_many_requests' }]);
    for (const shell of all) shell.close();
    await waitFor(async () => {
      const next = await open();
      await waitFor(() => types(next).length > 0, 'the first message');
      next.close();
      return types(next).includes('ready');
    }, 'one more shell');
  });

  it('of Pod logs are given back: 64 are left before their first line, and one more opens', async () => {
    const base = `/api/v1/clusters/shop/pods/shop/${pod}`;
    const { containers } = await app.client.get<{ containers: { name: string }[] }>(`${base}/containers`);
    const path = `${base}/logs?container=${containers[0]?.name ?? ''}&tail=0&follow=true`;
    const requests: ClientRequest[] = [];
    const statuses: number[] = [];
    const url = `http://127.0.0.1:${app.port}${path}`;
    for (let count = 0; count < POD_LOGS; count += 1) {
      const request = get(url, { agent: false });
      request.on('response', ({ statusCode = 0 }) => statuses.push(statusCode)).on('error', () => undefined);
      requests.push(request);
    }
    const refusal = (): Promise<number> =>
      app.client.send('GET', path.replace('follow=true', 'follow=false')).then(({ status }) => status);
    await waitFor(async () => (await refusal()) === 429, 'the refusal');
    for (const request of requests) request.destroy();
    await waitFor(async () => (await refusal()) === 200, 'one more log');
    expect(statuses.every((status) => status === 200)).toBe(true);
  });
});
