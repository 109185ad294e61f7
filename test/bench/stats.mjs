import { setTimeout as delay } from 'node:timers/promises';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { Figure } from './figures.mjs';
import { look } from './product.mjs';

const REQUESTS = 500;
/** Spread over several rounds of the sampler, which share the event loop with the answers. */
const PAUSE_MS = 15;

/** GET /stats while a page looks on: on the demo, and on the engines of this machine where one answers. */
export async function stats() {
  const figures = [await measure('demo')];
  const real = await measure('auto');
  if (real) figures.push(real);
  else say('stats: no engine answers on this machine, so the demo alone was measured');
  return figures;
}

async function measure(runtime) {
  const server = await BuiltServer.start({ APP_RUNTIME: runtime });
  let viewer;
  try {
    const { container_cli: cli } = await read(server);
    if (runtime !== 'demo' && (cli === 'demo' || cli === 'none')) return undefined;
    viewer = await look(server, 'stats');
    const values = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const began = performance.now();
      await read(server);
      values.push(performance.now() - began);
      await delay(PAUSE_MS);
    }
    return new Figure({
      title: `GET /stats with a viewer, ${cli}`,
      unit: 'ms',
      goal: 10,
      decides: 'p95',
      values,
    });
  } finally {
    viewer?.terminate();
    await server.stop();
  }
}

async function read(server) {
  const answer = await fetch(`${server.url}/api/v1/stats`);
  if (!answer.ok) throw new Error(`GET /stats answered ${answer.status}`);
  return await answer.json();
}
