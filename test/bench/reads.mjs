import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { root, say } from '../../scripts/process.mjs';
import { Figure, medianOf } from './figures.mjs';
import { HttpLoad } from './http-load.mjs';
import { ask, jobUntil } from './product.mjs';

const CLUSTERS = ['one', 'two', 'three'];
const PATHS = ['/clusters', '/clusters/two', '/jobs', '/jobs/1', '/journal/recent', '/stats'];
const ROUNDS = 5;
const ROUND_MS = 2000;
const PER_SECOND = 1000;
const PACED_MS = 5000;
/** Of the rate of bare Express: the server does what its users see, and Express says "ok". */
const SHARE = 1 / 5;

/**
 * Reads of the demo with three clusters, compared with an Express application that responds with a constant, in turn
 * with the same client; and how long a response takes at 1,000 requests per second.
 */
export async function reads() {
  const server = await BuiltServer.start({ APP_RUNTIME: 'demo' });
  const bare = await BareExpress.start();
  try {
    const { default_tag: tag } = await ask(server, 'GET', '/versions');
    const create = async (name) => {
      const cluster = { name, workers: 2, node_image_tag: tag };
      const { job_id: id } = await ask(server, 'POST', '/clusters', cluster);
      await jobUntil(server, id, ({ state }) => state === 'succeeded');
    };
    await Promise.all(CLUSTERS.map(create));
    const figures = [];
    for (const path of PATHS) figures.push(...(await measure(path, `${server.url}/api/v1${path}`, bare.url)));
    return figures;
  } finally {
    bare.stop();
    await server.stop();
  }
}

async function measure(path, url, bareUrl) {
  const rates = [];
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await mostOf(bareUrl);
    const ours = await mostOf(url);
    rates.push(ours);
    times.push(bare / ours);
    say(`reads: ${path}, round ${round + 1}: ${ours.toFixed(0)}/s, bare Express ${bare.toFixed(0)}/s`);
  }
  const load = new HttpLoad({ url });
  const took = await load.paced(PER_SECOND, PACED_MS);
  load.close();
  return [
    new Figure({
      title: `GET ${path}, how many times the rate of bare Express is higher`,
      unit: '×',
      goal: 1 / SHARE,
      values: times,
      versus: `median ${medianOf(rates).toFixed(0)}/s`,
    }),
    new Figure({
      title: `GET ${path} at ${PER_SECOND} requests/s`,
      unit: 'ms',
      goal: 50,
      decides: 'p99',
      values: took,
    }),
  ];
}

async function mostOf(url) {
  const load = new HttpLoad({ url });
  const rate = await load.most(ROUND_MS);
  load.close();
  return rate;
}

/** An Express application that does nothing, in a process of its own. */
class BareExpress {
  static async start() {
    const bare = new BareExpress();
    bare.child = spawn(process.execPath, [join(root, 'test', 'bench', 'bare-express.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = await once(bare.child.stdout, 'data');
    bare.url = `http://127.0.0.1:${Number(port)}/`;
    return bare;
  }

  stop() {
    this.child.kill();
  }
}
