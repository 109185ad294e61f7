import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterResources } from '../../backend/src/modules/resources/common/cluster-resources.js';
import type { ResourceObjectDto } from '../../backend/src/modules/resources/common/object.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { createCluster, journalOf } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const CANARY = 'canary-4711-correct-horse';
const CANARY_BASE64 = Buffer.from(CANARY).toString('base64');

describe('values of Secrets', () => {
  let app: TestApp;
  let socket: EventSocket;
  const of = (rest: string): string => `/api/v1/clusters/shop${rest}`;
  const object = (rest = ''): string => of(`/resources/core/v1/secrets/canary${rest}?namespace=default`);

  beforeAll(async () => {
    app = await startApp({ environment: { APP_LOG_LEVEL: 'trace' } });
    await createCluster(app.client, 'shop');
    socket = await EventSocket.open(app.port);
  });

  afterAll(async () => {
    socket.close();
    await app.stop();
  });

  it('leave the server only by reveal, which the journal records', async () => {
    const seen: string[] = [];
    const topics = ['overview:demo/shop', 'resources:demo/shop/core/v1/secrets', 'journal'];
    socket.send({ type: 'subscribe', topics });
    await socket.next('resources', ({ reset }) => reset);
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'canary', namespace: 'default', labels: { app: 'canary' } },
      type: 'Opaque',
      data: { password: CANARY_BASE64, binary: 'AP8A/w==' },
    };
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(secret),
      'shop.example/copy': CANARY,
    };
    const { api } = await app.nest.get(ClusterResources, { strict: false }).open('shop');
    await api.apply(
      { group: '', version: 'v1', plural: 'secrets', namespace: 'default', name: 'canary' },
      { ...secret, metadata: { ...secret.metadata, annotations } },
    );
    await socket.next('resources', ({ upserts }) => upserts.some(({ name }) => name === 'canary'));

    for (const path of [
      object(),
      object('/events'),
      of('/overview?limit=500'),
      of('/resources/core/v1/secrets'),
      of('/resources/core/v1/secrets?search=canary'),
      of('/resources/core/v1/secrets?label_selector=app%3Dcanary'),
      '/api/v1/search?q=canary',
      `/api/v1/search?q=${CANARY}`,
    ]) {
      const answer = await app.client.send('GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      seen.push(answer.text);
    }
    const yaml = await app.client.send('GET', object(), { headers: { accept: 'application/yaml' } });
    expect(yaml.text).toContain('password: <hidden>');
    expect(await app.client.get<ResourceObjectDto>(object())).toMatchObject({
      hidden_keys: ['binary', 'password'],
    });

    const revealed = await app.client.send('POST', object('/reveal'), { body: { key: 'password' } });
    expect(revealed.body).toEqual({ key: 'password', value: CANARY, encoding: 'text' });
    const binary = await app.client.send('POST', object('/reveal'), { body: { key: 'binary' } });
    expect(binary.body).toEqual({ key: 'binary', value: 'AP8A/w==', encoding: 'base64' });
    const entries = await journalOf(app.client, '?kind=secret-reveal');
    expect(entries.map(({ cluster, subject, message }) => [cluster, subject, message])).toEqual([
      ['shop', 'secrets/default/canary', 'Revealed the value of binary in Secret default/canary.'],
      ['shop', 'secrets/default/canary', 'Revealed the value of password in Secret default/canary.'],
    ]);
    await socket.next('journal', ({ entry }) => entry.kind === 'secret-reveal');

    seen.push(yaml.text, JSON.stringify(entries), JSON.stringify(socket.messages), app.log());
    // This request contains the value in its path, which is logged.
    const found = seen.map((text) => text.replaceAll(`q=${CANARY}`, ''));
    expect(found.filter((text) => text.includes(CANARY) || text.includes(CANARY_BASE64))).toEqual([]);
  });

  it('are in no file of the database after changes that the journal keeps', async () => {
    const text = (await app.client.send('GET', object(), { headers: { accept: 'application/yaml' } })).text;
    const edited = await app.client.send('PUT', object(), {
      body: { yaml: `${text}stringData: {password: ${CANARY}-edited}\n` },
    });
    expect([edited.status, edited.text]).toEqual([200, expect.stringContaining('<hidden, changed>')]);
    const applied = await app.client.send('POST', of('/resources/apply'), {
      body: {
        yaml: `apiVersion: v1\nkind: Secret\nmetadata: {name: new, namespace: default}\nstringData: {password: ${CANARY}}\n`,
      },
    });
    expect(applied.status).toBe(200);
    expect((await app.client.send('DELETE', object().replace('/canary', '/new'))).status).toBe(200);
    const entries = await journalOf(app.client, '?kind=resource');
    const diffs = await Promise.all(
      entries.map(({ id }) =>
        app.client.get<{ diff: { before: string | null; after: string } }>(`/api/v1/journal/${id}`),
      ),
    );
    expect(diffs.map(({ diff: { before, after } }) => (after === '' ? before : after))).toEqual([
      expect.stringContaining('password: <hidden>'),
      expect.stringContaining('password: <hidden>'),
      expect.stringContaining('password: <hidden, changed>'),
    ]);
    for (const file of readdirSync(app.dataDirectory).filter((name) => name.startsWith('slipway.db'))) {
      const stored = readFileSync(join(app.dataDirectory, file), 'latin1');
      expect([file, stored.includes(CANARY), stored.includes(CANARY_BASE64.slice(0, -4))]).toEqual([
        file,
        false,
        false,
      ]);
    }
    const missing = await app.client.send('GET', '/api/v1/journal/x');
    expect([missing.status, (missing.body as ErrorResponse).code]).toEqual([404, 'journal_entry_not_found']);
  });

  it.each([
    [{ key: 'nothing' }, 404, 'resource_not_found'],
    [{ key: '__proto__' }, 404, 'resource_not_found'],
    [{ key: '../password' }, 400, 'invalid_input'],
    [{ key: ['password'] }, 400, 'invalid_input'],
    [{}, 400, 'invalid_input'],
  ])('reveals nothing for %j', async (body, status, code) => {
    const answer = await app.client.send('POST', object('/reveal'), { body });
    expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([status, code]);
  });
});
