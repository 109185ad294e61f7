import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import type { ApiStream } from '../../backend/src/drivers/kubernetes/index.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
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

/** Events of a watch of tables: objects with one hostile field each, which stay, and one that is nothing but hostile. */
function hostileEvents(): string[] {
  const objects = FIELDS.flatMap((field) =>
    VALUES.map((value, index) => {
      const name = `${field.toLowerCase()}-${index}`;
      return { metadata: { uid: name, name, namespace: 'default', resourceVersion: '1', [field]: value } };
    }),
  );
  return [...objects, HOSTILE].flatMap((object) =>
    ['ADDED', 'BOOKMARK', HOSTILE].map((type) =>
      JSON.stringify({ type, object: { kind: 'Table', rows: [{ cells: [HOSTILE, 1], object }] } }),
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
    const stream = server.stream.bind(server);
    server.stream = async (request: ApiStream) => {
      for (const line of hostileEvents()) {
        request.onLine(line);
        sent += 1;
        // Changes of one turn are processed together.
        await nextTurn();
      }
      return await stream(request);
    };
  });

  afterAll(() => app.stop());

  it('does not end Slipway, whose tables and overview have the rest of its objects', async () => {
    const socket = await EventSocket.open(app.port);
    const topics = ['resources:demo/hostile/core/v1/pods', 'overview:demo/hostile'];
    socket.send({ type: 'subscribe', topics });
    await socket.next('resources', ({ reset }) => reset);
    const { rows } = await app.client.get<ResourceTableDto>(
      '/api/v1/clusters/hostile/resources/core/v1/pods',
    );
    expect(rows.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^coredns/));
    await socket.next('overview', ({ blocks }) => Object.keys(blocks).length > 5);
    // Work scheduled for the changes runs within a second.
    await delay(1000);
    expect(sent).toBeGreaterThan(100);
    expect(await app.client.get('/api/v1/health')).toBeDefined();
    expect(socket.closed).toBeUndefined();
    socket.close();
  });

  it('does not end Slipway by an exception in a listener of its changes', async () => {
    const changes = new Subject<void>();
    changes.subscribe(() => {
      throw new Error('cannot follow the change');
    });
    changes.next();
    await delay(10);
    expect(app.log()).toContain('cannot follow the change');
  });
});
