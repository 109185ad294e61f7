import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

const POLL_MS = 20;
const ENDED_WITHIN_MS = 600_000;
const RUNNING_WITHIN_MS = 60_000;

/** Calls the API. @throws Error with what it said when it refused. */
export async function ask(server, method, path, body = undefined) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${said.message}`);
  return said;
}

/** Polls a job until `isThere` says so. */
export async function jobUntil(server, id, isThere) {
  const deadline = performance.now() + ENDED_WITHIN_MS;
  while (performance.now() < deadline) {
    const job = await ask(server, 'GET', `/jobs/${id}`);
    if (isThere(job)) return job;
    await delay(POLL_MS);
  }
  throw new Error(`job ${id} did not come that far within ${ENDED_WITHIN_MS / 60_000} minutes`);
}

/** A node image that is here already: a pull would measure the network. */
export async function presentImage(server, engine) {
  const { tags, default_tag: preferred } = await ask(server, 'GET', '/versions');
  const present = tags.filter(({ present_in: where }) => where.includes(engine));
  const wanted = process.env.APP_TEST_NODE_IMAGE?.split(':').at(-1) ?? preferred;
  const chosen = present.find(({ tag }) => tag.split('@')[0] === wanted?.split('@')[0]) ?? present[0];
  if (!chosen) throw new Error(`${engine} holds no node image; pull one first`);
  return chosen;
}

/** Waits until the product shows a cluster as one that runs. */
export async function untilRunning(server, cluster, engine) {
  const deadline = performance.now() + RUNNING_WITHIN_MS;
  while (performance.now() < deadline) {
    const clusters = await ask(server, 'GET', '/clusters');
    const found = clusters.find(({ name, runtime }) => name === cluster && runtime === engine);
    if (found?.state === 'running') return;
    await delay(POLL_MS);
  }
  throw new Error(`${cluster} was not shown as running within ${RUNNING_WITHIN_MS / 1000} s`);
}

/** Subscribes to a topic. Resolves to the socket after the first message. */
export function look(server, topic, onMessage = () => undefined) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, {
      headers: { origin: server.url },
    });
    const [type] = topic.split(':');
    socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', topics: [topic] })));
    socket.on('message', (text) => {
      const message = JSON.parse(String(text));
      if (message.type !== type) return;
      onMessage(message);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}
