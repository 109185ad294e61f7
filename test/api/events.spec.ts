import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import { createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('/events', () => {
  let app: TestApp;
  const sockets: EventSocket[] = [];
  const open = async (...rest: [object?, string?]): Promise<EventSocket> => {
    const socket = await EventSocket.open(app.port, ...rest);
    sockets.push(socket);
    return socket;
  };

  beforeAll(async () => {
    app = await startApp();
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(() => app.stop());

  it('sends hello, and responds to ping', async () => {
    const socket = await open();
    expect(await socket.next('hello')).toEqual({ type: 'hello', version: 1 });
    socket.send({ type: 'ping' });
    expect(await socket.next('pong')).toEqual({ type: 'pong' });
  });

  it('sends the job, its log, clusters and the journal during a creation', async () => {
    const socket = await open();
    socket.send({ type: 'subscribe', topics: ['clusters', 'jobs', 'journal', 'job:1'] });
    await socket.settled();
    const id = await requestCluster(app.client, 'watched', { workers: 1 });
    expect(id).toBe(1);
    await jobEnded(app.client, id);
    await socket.next('clusters', ({ clusters }) => clusters[0]?.state === 'running');

    const states = socket.of('job').map(({ job }) => job.state);
    expect(states[0]).toBe('queued');
    expect(states.at(-1)).toBe('succeeded');
    const percentages = socket.of('job').map(({ job }) => job.progress_percent);
    expect(percentages).toEqual([...percentages].sort((one, other) => one - other));
    // Records are the same as in the API.
    const { progress_log: log, ...job } = await app.client.get<JobDto & { progress_log: unknown[] }>(
      '/api/v1/jobs/1',
    );
    expect(socket.of('job').at(-1)?.job).toEqual(job);
    expect(socket.of('job_log').flatMap(({ lines }) => lines)).toEqual(log);
    const clusters = await app.client.get('/api/v1/clusters');
    expect(socket.of('clusters').at(-1)?.clusters).toEqual(clusters);
    expect(socket.of('journal').map(({ entry }) => entry.outcome)).toEqual(['started', 'succeeded']);
  });

  it('sends only subscribed topics, and nothing after unsubscribe', async () => {
    const silent = await open();
    const leaver = await open();
    leaver.send({ type: 'subscribe', topics: ['jobs', 'clusters', 'journal', 'stats'] });
    leaver.send({ type: 'unsubscribe', topics: ['jobs', 'clusters', 'journal', 'stats'] });
    await leaver.settled();
    leaver.messages.length = 0;
    await createCluster(app.client, 'unseen');
    await silent.settled();
    await leaver.settled();
    expect(silent.messages.map(({ type }) => type)).toEqual(['hello', 'pong']);
    expect(leaver.messages.map(({ type }) => type)).toEqual(['pong']);
  });

  it('sends stats to subscribers', async () => {
    const socket = await open();
    socket.send({ type: 'subscribe', topics: ['stats'] });
    const { stats } = await socket.next('stats', (message) =>
      message.stats.cluster_resources.every(({ nodes }) => nodes.every((node) => node.cpu_percent !== null)),
    );
    expect(stats.clusters).toMatchObject({ total: 2, running: 2 });
    expect(stats.cluster_resources.map(({ cluster }) => cluster)).toEqual(['unseen', 'watched']);
  });

  it.each([
    [{ type: 'subscribe' }],
    [{ type: 'subscribe', topics: 'jobs' }],
    [{ type: 'subscribe', topics: ['jobs', 'secrets'] }],
    [{ type: 'subscribe', topics: ['job:0'] }],
    [{ type: 'subscribe', topics: ['job:1 OR 1=1'] }],
    [{ type: 'subscribe', topics: [null] }],
    [{ type: 'subscribe', topics: [['jobs']] }],
    [{ type: 'subscribe', topics: Array.from({ length: 51 }, (_, index) => `job:${index + 1}`) }],
  ])('returns an error for %j and stays open', async (message) => {
    const socket = await open();
    socket.send(message);
    expect((await socket.next('error')).message).toContain('topics');
    await socket.settled();
  });

  it.each([
    '',
    'x',
    'null',
    '[]',
    '{}',
    '1',
    '{"type":7}',
    '{"type":"nothing"}',
    '{"type":"__proto__"}',
    '{"type":"constructor"}',
    '{"event":"subscribe"}',
  ])('ignores the message %s', async (text) => {
    const socket = await open();
    socket.sendText(text);
    socket.sendText(Buffer.from([0xff, 0xfe, 0x00]));
    await socket.settled();
    expect(socket.messages.map(({ type }) => type)).toEqual(['hello', 'pong']);
  });

  it('limits the topics of a client, without counting a topic twice', async () => {
    const socket = await open();
    const topics = Array.from({ length: 50 }, (_, index) => `job:${index + 100}`);
    socket.send({ type: 'subscribe', topics });
    socket.send({ type: 'subscribe', topics });
    await socket.settled();
    expect(socket.of('error')).toEqual([]);
    socket.send({ type: 'subscribe', topics: ['jobs'] });
    await socket.next('error');
  });

  it('closes a connection that sends more than 16 kB at once', async () => {
    const socket = await open();
    socket.sendText(`{"type":"ping","x":"${'x'.repeat(20_000)}"}`);
    expect((await socket.untilClosed()).code).toBe(1009);
  });

  it.each([
    ['another host', { headers: { host: 'evil.example' } }],
    ['another origin', { headers: { origin: 'http://evil.example' } }],
    ['another port of this machine', { headers: { origin: 'http://localhost:1' } }],
    ['an opaque origin', { headers: { origin: 'null' } }],
    ['a page elsewhere', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['a page on another port', { headers: { 'sec-fetch-site': 'same-site' } }],
  ])('rejects an upgrade from %s', async (_, options) => {
    await expect(open(options)).rejects.toThrow('Unexpected server response: 403');
  });

  // A browser resets the connection when its tab is closed. An unhandled error would end the process.
  it.each([
    ['refused', '/events', 'evil.example'],
    ['at a wrong address', '/nothing', 'localhost'],
    ['with a broken address', '//', 'localhost'],
  ])('survives the reset of a connection whose upgrade is %s', async (_, path, host) => {
    const upgrade = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    for (let attempt = 0; attempt < 50; attempt += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect({ port: app.port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        socket.on('end', () => socket.resetAndDestroy());
        socket.write(upgrade);
        if (attempt % 2 === 0) socket.once('data', () => socket.resetAndDestroy());
        else void setImmediate().then(() => socket.resetAndDestroy());
      });
    }
    await app.client.get('/api/v1/health');
  });

  it('handles an upgrade to another protocol as a plain request', async () => {
    const answer = await app.client.send('GET', '/api/v1/health', {
      headers: {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
      },
    });
    expect(answer.status).toBe(200);
  });

  it('closes a connection that sends endless data', async () => {
    const socket = await open();
    socket.stopReading();
    const wrong = { type: 'subscribe', topics: ['secrets'] };
    for (let count = 1; count <= 200_000 && !socket.closed; count += 1) {
      socket.send(wrong);
      if (count % 500 === 0) await setImmediate();
    }
    expect((await socket.untilClosed()).code).toBe(1008);
    await app.client.get('/api/v1/health');
  });

  it('accepts an upgrade from a same-origin page', async () => {
    const origin = `http://localhost:${app.port}`;
    const socket = await open({ headers: { origin, 'sec-fetch-site': 'same-origin' } });
    await socket.next('hello');
  });

  it('rejects an upgrade at other paths', async () => {
    for (const path of ['/', '/event', '/events/x', '/api/v1/events']) {
      await expect(open({}, path)).rejects.toThrow();
    }
  });
});

describe('/events during shutdown', () => {
  it('is closed with a reason', async () => {
    const app = await startApp();
    const socket = await EventSocket.open(app.port);
    await socket.next('hello');
    await app.stop();
    expect(await socket.untilClosed()).toEqual({ code: 1001, reason: 'Slipway is stopping' });
  });
});
