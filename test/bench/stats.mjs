import { setTimeout as delay } from 'node:timers/promises';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { Figure } from './figures.mjs';
import { look } from './product.mjs';

const REQUESTS = 500;
/** Spread over several rounds of the sampler, which share the event loop with the answers. */
const PAUSE_MS = 15;
/** Longer than a request keeps the sampler at the interval of viewers. */
const IDLE_MS = 15_000;
const FIRST_REQUESTS = 3;

/** GET /stats first after an idle time, and while a page looks on: on the demo, and on the engines of this machine where one answers. */
export async function stats() {
  const figures = await measure('demo');
  const real = await measure('auto');
  if (real.length > 0) figures.push(...real);
  else say('stats: no engine answers on this machine, so the demo alone was measured');
  return figures;
}

async function measure(runtime) {
  const server = await BuiltServer.start({ APP_RUNTIME: runtime });
  let viewer;
  try {
    const { container_cli: cli } = await read(server);
    if (runtime !== 'demo' && (cli === 'demo' || cli === 'none')) return [];
    const first = [];
    for (let request = 0; request < FIRST_REQUESTS; request += 1) {
      await delay(IDLE_MS);
      first.push(await timed(server));
    }
    viewer = await look(server, 'stats');
    const values = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      values.push(await timed(server));
      await delay(PAUSE_MS);
    }
    const goal = { unit: 'ms', goal: 10, decides: 'p95' };
    return [
      new Figure({ title: `GET /stats first after an idle time, ${cli}`, ...goal, values: first }),
      new Figure({ title: `GET /stats with a viewer, ${cli}`, ...goal, values }),
    ];
  } finally {
    viewer?.terminate();
    await server.stop();
  }
}

async function timed(server) {
  const began = performance.now();
  await read(server);
  return performance.now() - began;
}

async function read(server) {
  const answer = await fetch(`${server.url}/api/v1/stats`);
  if (!answer.ok) throw new Error(`GET /stats answered ${answer.status}`);
  return await answer.json();
}
