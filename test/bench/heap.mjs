import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ClusterOfPods } from './cluster-of-pods.mjs';
import { Figure } from './figures.mjs';
import { ask, look, untilRunning } from './product.mjs';

const PODS = 10_000;
const SAMPLE_MS = 100;
const ROUNDS = 4;
/** One in twenty of the pods. */
const CHANGED = PODS / 20;
const TOLD_WITHIN_MS = 60_000;

/**
 * The most that the server's heap holds, garbage and all, while one page looks at the overview and another at
 * the whole table of ten thousand pods, of which hundreds change, and both are read as well.
 */
export async function heap({ engine = 'docker' }) {
  const cluster = await ClusterOfPods.start(engine);
  let server;
  const viewers = [];
  try {
    await cluster.fill(PODS);
    server = await BuiltServer.start({ APP_RUNTIME: engine, NODE_OPTIONS: '--inspect=127.0.0.1:0' });
    await untilRunning(server, cluster.name, engine);
    const gauge = await HeapGauge.attach(server);
    let changed = 0;
    viewers.push(await look(server, `overview:${engine}/${cluster.name}`));
    viewers.push(
      await look(server, `resources:${engine}/${cluster.name}/core/v1/pods`, ({ upserts }) => {
        changed += upserts.length;
      }),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = changed;
      await cluster.touch(round, `round-${round}`);
      await until(() => changed - before >= CHANGED, 'the reported changes');
      await ask(server, 'GET', `/clusters/${cluster.name}/overview?runtime=${engine}`);
      const table = `/clusters/${cluster.name}/resources/core/v1/pods?runtime=${engine}&limit=500`;
      for (let next = ''; next !== undefined;) {
        const page = await ask(
          server,
          'GET',
          next === '' ? table : `${table}&continue=${encodeURIComponent(next)}`,
        );
        next = page.continue ?? undefined;
      }
    }
    const values = gauge.end();
    say(`heap: ${values.length} samples, at most ${Math.max(...values).toFixed(0)} MB`);
    return [
      new Figure({
        title: `server heap at its most, ${PODS} pods watched and read`,
        unit: 'MB',
        goal: 300,
        values: [Math.max(...values)],
      }),
    ];
  } finally {
    for (const viewer of viewers) viewer.terminate();
    await server?.stop();
    await cluster.stop();
  }
}

/** Asks a Node, by its inspector, again and again how much its heap holds. */
class HeapGauge {
  samples = [];

  static async attach(server) {
    const [address] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(server.output) ?? [];
    if (!address) throw new Error('the server does not name its inspector');
    const gauge = new HeapGauge();
    gauge.socket = new WebSocket(address);
    await new Promise((resolve, reject) => gauge.socket.on('open', resolve).on('error', reject));
    gauge.socket.on('message', (text) => {
      const used = JSON.parse(String(text)).result?.usedSize;
      if (used !== undefined) gauge.samples.push(used / 1e6);
    });
    let id = 0;
    gauge.timer = setInterval(
      () => gauge.socket.send(JSON.stringify({ id: (id += 1), method: 'Runtime.getHeapUsage' })),
      SAMPLE_MS,
    );
    return gauge;
  }

  end() {
    clearInterval(this.timer);
    this.socket.terminate();
    return this.samples;
  }
}

async function until(isThere, awaited) {
  const deadline = performance.now() + TOLD_WITHIN_MS;
  while (!isThere()) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${awaited}`);
    await delay(SAMPLE_MS);
  }
}
