import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../scripts/browser.mjs';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { run, say } from '../../scripts/process.mjs';
import { ClusterOfPods } from './cluster-of-pods.mjs';
import { DistantRelay, silentServer } from './distant-relay.mjs';
import { Figure, medianOf } from './figures.mjs';
import { fillLargely } from './large-cluster.mjs';
import { ask, untilRunning } from './product.mjs';
import { inBrowser, marked } from './rows-in-browser.mjs';

const SIZE = { pods: 5000, namespaces: 1000, crds: 200 };
const ONE_WAY_MS = 50;
const LOSS = 0.01;
/** More would not fit into eight minutes. */
const MAX_ROUNDS = 5;
/** The same server twice differs by this much. */
const NO_DIFFERENCE = 1.15;

/**
 * A large cluster as an external one: compared with the same cluster as a local one, beside a cluster that does not
 * respond, and far away. Its kubeconfig may be given, so that it need not be created: then it must be one of kind.
 */
export async function external({ engine = 'docker', pairs = MAX_ROUNDS, kubeconfig, ...size }) {
  const program = await findBrowser();
  if (!program) throw new Error('there is no browser');
  const rounds = Math.min(pairs, MAX_ROUNDS);
  const counts = { ...SIZE, ...size };
  const cluster = kubeconfig === undefined ? await ClusterOfPods.start(engine) : undefined;
  const contexts = new Contexts();
  const relays = [];
  const bench = { program, engine, rounds, counts, contexts };
  try {
    const near = await readKubeconfig(kubeconfig ?? cluster.kubeconfig);
    bench.local = near.context.replace(/^kind-/, '');
    const began = performance.now();
    await fillLargely(near.access, counts);
    say(
      `external: ${JSON.stringify(counts)} exist after ${((performance.now() - began) / 1000).toFixed(0)} s`,
    );
    const relay = await DistantRelay.start(portOf(near.access.server), ONE_WAY_MS);
    relays.push(relay);
    const silent = await silentServer();
    relays.push(silent);
    contexts.add('near', near.config);
    contexts.add('distant', near.config, relay.port);
    contexts.add('silent', near.config, silent.port);
    const compared = await compareWithLocal(bench);
    return [...compared, ...(await relay.withLoss(LOSS, () => farAway(bench, relay)))];
  } finally {
    await Promise.all(relays.map((relay) => relay.stop()));
    contexts.remove();
    await cluster?.stop();
  }
}

/** The table of Pods of all servers in turns, so that each has the same noise. */
async function compareWithLocal(bench) {
  const { rounds, engine, local, counts, contexts, program } = bench;
  const servers = [];
  const start = async (environment, ...names) => {
    const server = await BuiltServer.start({ ...environment, KUBECONFIG: contexts.file });
    servers.push(server);
    for (const name of names) await addExternal(server, name);
    return server;
  };
  try {
    const places = [
      [await start({ APP_RUNTIME: engine }), local, engine],
      [await start({ APP_RUNTIME: engine }, 'silent'), local, engine],
      [await start({ APP_RUNTIME: 'demo' }, 'near'), 'near', 'kubeconfig'],
    ];
    const times = places.map(() => []);
    // The first round only fills caches.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, [server, name, runtime]] of places.entries()) {
        await untilRunning(server, name, runtime);
        const address = tableOf(server, name, runtime, 'pods');
        const take = async (page) => ({
          first: await marked(page, 'first'),
          whole: await marked(page, 'whole'),
        });
        const took = await inBrowser(program, address, take, counts.pods);
        if (round > 0) times[index].push(took);
      }
    }
    const [alone, beside, near] = times;
    const ratio = (title, goal, mark, values, base) =>
      new Figure({
        title: `table of ${counts.pods} pods ${title}`,
        unit: '×',
        goal,
        values: values.map((took, round) => took[mark] / base[round][mark]),
        versus: `medians ${ms(values.map((took) => took[mark]))}, ${ms(base.map((took) => took[mark]))} locally`,
      });
    const nearPages = await cold(bench, 'near', overviewOf, 'overview');
    return [
      ratio('of an external cluster usable, against a local one', 1.5, 'first', near, alone),
      ratio('of an external cluster complete, against a local one', 1.5, 'whole', near, alone),
      ratio('of a local cluster usable, beside one that is silent', NO_DIFFERENCE, 'first', beside, alone),
      new Figure({
        title: `page of an external cluster with ${counts.crds} CRDs usable, first visit`,
        unit: 'ms',
        goal: 2000,
        values: nearPages,
      }),
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function farAway(bench, relay) {
  const { counts } = bench;
  const where = `at ${2 * ONE_WAY_MS} ms and ${LOSS * 100} % loss`;
  const measure = async (title, goal, address, mark) => {
    const before = relay.connections;
    const values = await cold(bench, 'distant', address, mark, counts.namespaces);
    const connections = ((relay.connections - before) / values.length).toFixed(0);
    return new Figure({
      title: `${title} ${where}, first visit`,
      unit: 'ms',
      goal,
      values,
      versus: `${connections} connections each`,
    });
  };
  const namespaces = (server, name, runtime) => tableOf(server, name, runtime, 'namespaces');
  return [
    await measure('page of a cluster usable', 2000, overviewOf, 'overview'),
    await measure(`table of ${counts.namespaces} rows complete`, 2500, namespaces, 'whole'),
  ];
}

/** The first visit of a page since the start of a server, again and again. */
async function cold({ rounds, contexts, program }, name, address, mark, rows) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await BuiltServer.start({ APP_RUNTIME: 'demo', KUBECONFIG: contexts.file });
    try {
      await addExternal(server, name);
      await untilRunning(server, name, 'kubeconfig');
      times.push(
        await inBrowser(program, address(server, name, 'kubeconfig'), (page) => marked(page, mark), rows),
      );
    } finally {
      await server.stop();
    }
  }
  say(`external: ${name}, ${mark} after ${times.map((took) => took.toFixed(0)).join(', ')} ms`);
  return times;
}

async function addExternal(server, context) {
  await ask(server, 'POST', '/external-clusters', { context, name: context });
}

function overviewOf(server, name, runtime) {
  return `${server.url}/cluster/${name}?runtime=${runtime}`;
}

function tableOf(server, name, runtime, plural) {
  return `${server.url}/cluster/${name}/resources/core/v1/${plural}?runtime=${runtime}`;
}

/** A kubeconfig of several contexts that lead to one cluster in different ways. */
class Contexts {
  folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  file = join(this.folder, 'config');
  config = { apiVersion: 'v1', kind: 'Config', clusters: [], users: [], contexts: [] };

  /** @param port of this machine instead of the cluster's own */
  add(name, { cluster, user }, port) {
    const server = port === undefined ? cluster.server : `https://127.0.0.1:${port}`;
    this.config.clusters.push({ name, cluster: { ...cluster, server } });
    this.config.users.push({ name, user });
    this.config.contexts.push({ name, context: { cluster: name, user: name } });
    writeFileSync(this.file, JSON.stringify(this.config));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function readKubeconfig(file) {
  const args = [`--kubeconfig=${file}`, 'config', 'view', '--raw', '--minify', '--output=json'];
  const { status, output } = await run('kubectl', args, { quiet: true });
  if (status !== 0) throw new Error(`kubectl cannot read ${file}: ${output.slice(-500)}`);
  const { clusters, users, 'current-context': context } = JSON.parse(output);
  const config = { cluster: clusters[0].cluster, user: users[0].user };
  const decoded = (text) => Buffer.from(text, 'base64');
  const access = {
    server: config.cluster.server,
    ca: decoded(config.cluster['certificate-authority-data']),
    cert: decoded(config.user['client-certificate-data']),
    key: decoded(config.user['client-key-data']),
  };
  return { config, context, access };
}

function portOf(server) {
  const { hostname: host, port } = new URL(server);
  return { host, port: Number(port || 443) };
}

function ms(values) {
  return `${medianOf(values).toFixed(0)} ms`;
}
