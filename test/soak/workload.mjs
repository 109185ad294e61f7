import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ask, jobUntil } from '../bench/product.mjs';

/** The cluster that is there all the time. */
export const CLUSTER = 'soak';
/** The one that comes and goes. */
export const PASSING = 'soak-passing';
const ENGINE = 'docker';
const PAUSE_MS = 500;
const SHELL_MS = 30_000;
const DNS = { plural: 'deployments', namespace: 'kube-system', object: 'coredns', port: 9153 };

/** The work that runs side by side. Each function is repeated until the end. */
export function workload({ server, board, tag, signal }) {
  const get = (path) => ask(server, 'GET', path);
  const ended = async (id) => {
    const job = await jobUntil(server, id, ({ state }) => !['queued', 'running'].includes(state));
    if (job.state !== 'succeeded') throw new Error(`${job.kind} ${job.state}: ${job.error?.message}`);
  };
  const run = async (method, path, body) => {
    const { job_id: id } = await ask(server, method, path, body);
    if (id !== undefined) await ended(id);
  };
  const release = { repository: 'uploaded', chart: 'shop', release: 'shop', namespace: 'market' };
  const addons = `/clusters/${CLUSTER}/addons`;
  return {
    async creations() {
      await run('POST', '/clusters', { name: PASSING, workers: 0, node_image_tag: tag, runtime: ENGINE });
      for (const action of ['stop', 'start']) {
        if (signal.aborted) break;
        await run('POST', `/clusters/${PASSING}/${action}`);
      }
      await run('DELETE', `/clusters/${PASSING}`);
    },
    async addons() {
      await run('POST', addons, { ...release, version: '1.0.0' });
      await run('PUT', `${addons}/releases/shop`, { version: '1.1.0', values: '' });
      await run('DELETE', `${addons}/releases/shop`);
    },
    async shells() {
      const query = new URLSearchParams({
        target: 'node',
        node: `${CLUSTER}-control-plane`,
        runtime: ENGINE,
      });
      const path = `/api/v1/clusters/${CLUSTER}/shells?${query}`;
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`);
      let text = '';
      socket.on('message', (data, isBinary) => {
        if (isBinary) {
          text += data;
          socket.send(JSON.stringify({ type: 'ack', bytes: data.length }));
        } else if (JSON.parse(data).type === 'ready') {
          socket.send(Buffer.from('echo so""ak; exit\r'), { binary: true });
        }
      });
      await once(socket, 'close', { signal: AbortSignal.timeout(SHELL_MS) });
      if (!/[\r\n]soak\r/.test(text)) throw new Error(`a shell printed ${JSON.stringify(text.slice(-200))}`);
    },
    async forwards() {
      const path = `/clusters/${CLUSTER}/forwards`;
      const { id, local_port: port } = await ask(server, 'POST', path, { ...DNS, protocol: 'tcp' });
      try {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET /metrics HTTP/1.0\r\n\r\n'));
        let text = '';
        for await (const data of socket) text += data;
        if (!text.includes('coredns_build_info')) throw new Error(`a forward returned ${text.slice(0, 200)}`);
      } finally {
        await ask(server, 'DELETE', `${path}/${id}`);
      }
    },
    async pages() {
      await Promise.all([
        get('/clusters'),
        get('/stats'),
        get('/journal/recent?limit=50'),
        get(`/clusters/${CLUSTER}/overview`),
        get(`/clusters/${CLUSTER}/problems`),
        get(`/clusters/${CLUSTER}/resources/core/v1/pods`),
      ]);
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, {
        headers: { origin: server.url },
      });
      await once(socket, 'open');
      const topics = [
        'clusters',
        'stats',
        `overview:${ENGINE}/${CLUSTER}`,
        `resources:${ENGINE}/${CLUSTER}/core/v1/pods`,
      ];
      socket.send(JSON.stringify({ type: 'subscribe', topics }));
      await delay(PAUSE_MS);
      socket.close();
      await once(socket, 'close');
    },
    async searches() {
      for (const path of [
        'search?q=customer&limit=50',
        'search?q=%22200+of+the%22&limit=50',
        'histogram?q=orders',
      ]) {
        const headers = { authorization: `Bearer ${board.token}`, accept: 'application/json' };
        const response = await fetch(`${board.url}/api/${path}`, { headers });
        const text = await response.text();
        if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 200)}`);
      }
    },
  };
}

/**
 * Repeats each function until the signal.
 * @returns the count and the errors of each, by name. The last call may fail because of the end, which is no error.
 */
export async function repeatUntil(signal, functions) {
  const results = {};
  const repeat = async ([name, work]) => {
    const result = (results[name] = { count: 0, errors: [], atEnd: [] });
    while (!signal.aborted) {
      try {
        await work();
        result.count += 1;
      } catch (error) {
        const errors = signal.aborted ? result.atEnd : result.errors;
        errors.push(error instanceof Error ? error.message : String(error));
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Object.entries(functions).map(repeat));
  return results;
}
