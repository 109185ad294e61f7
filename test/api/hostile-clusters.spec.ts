import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import type { ApiStream } from '../../backend/src/drivers/kubernetes/index.js';
import { createCluster } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const HOSTILE = { toString: 1, valueOf: 1 };
const VALUES = [HOSTILE, [], null, 7, 'x'.repeat(100_000)];
const FIELDS = [
  'uid',
  'name',
  'namespace',
  'creationTimestamp',
  'labels',
  'ownerReferences',
  'resourceVersion',
];

/** Events of a watch whose objects have one hostile field each, and one that is nothing but hostile. */
function hostileEvents(isTable: boolean): string[] {
  const metadata = { uid: 'hostile', name: 'hostile', namespace: 'default', resourceVersion: '1' };
  const objects = [
    HOSTILE,
    ...FIELDS.flatMap((field) => VALUES.map((value) => ({ metadata: { ...metadata, [field]: value } }))),
  ];
  return objects.flatMap((object) =>
    ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', HOSTILE].map((type) =>
      JSON.stringify({
        type,
        object: isTable
          ? { kind: 'Table', metadata: HOSTILE, rows: [{ cells: [HOSTILE, 1], object }, HOSTILE] }
          : { ...object, spec: { containers: [HOSTILE, { name: HOSTILE }] }, status: HOSTILE },
      }),
    ),
  );
}

describe('an API server that sends other types than it should', () => {
  let app: TestApp;
  let sent = 0;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'hostile', { workers: 1 });
    const server = app.nest.get(DemoWorld).apiServer('hostile');
    const { stream } = server;
    server.stream = async (request: ApiStream) => {
      for (const line of hostileEvents(request.accept !== undefined)) {
        request.onLine(line);
        sent += 1;
      }
      return await stream.call(server, request);
    };
  });

  afterAll(() => app.stop());

  it('does not end Slipway, whose tables and overview have the rest of its objects', async () => {
    const socket = await EventSocket.open(app.port);
    const topics = ['resources:demo/hostile/core/v1/pods', 'overview:demo/hostile'];
    socket.send({ type: 'subscribe', topics });
    const { upserts } = await socket.next('resources', ({ reset }) => reset);
    expect(upserts.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^coredns/));
    await socket.next('overview', ({ blocks }) => Object.keys(blocks).length > 5);
    // What is scheduled for the changes runs within a second.
    await delay(1000);
    expect(sent).toBeGreaterThan(100);
    expect(await app.client.get('/api/v1/health')).toBeDefined();
    expect(socket.closed).toBeUndefined();
    socket.close();
  });
});
