import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { root, run, say } from '../../scripts/process.mjs';
import { ContainerWriter } from '../bench/container-writer.mjs';
import { importTypescript } from '../bench/import-typescript.mjs';
import { LogBoardClient } from '../bench/log-board-client.mjs';
import { ask, jobUntil, presentImage } from '../bench/product.mjs';
import { sampleUntil } from './samples.mjs';
import { CLUSTER, PASSING, repeatUntil, workload } from './workload.mjs';

const PASSWORD = 'correct horse battery staple';
const ENGINE = 'docker';
const RATE = 1000;
/**
 * The smallest allowed limits. What the source may keep is full before the measurement begins, the journal after three
 * quarters of an hour.
 */
const LIMITS = {
  APP_LOG_HISTORY_SIZE: '10MB',
  APP_LOG_SOURCE_SIZE: '1MB',
  APP_JOURNAL_ENTRIES: '10000',
};
/** Longer than any soak: the log board is searched and followed until its end. */
const SESSION_SECONDS = '86400';
const FILLED_WITHIN_MS = 300_000;
/** Longest time that running work may take to end. */
const LAST_MS = 180_000;

/**
 * Uses the product in all ways at once on real Docker.
 * @param signal ends it early
 * @param file CSV of the curve
 * @returns samples of the server, and what was done
 */
export async function soak({ minutes, signal, file }) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-soak-'));
  const resources = join(folder, 'resources');
  const writers = [];
  let server;
  let board;
  await removeClusters();
  try {
    server = await BuiltServer.start({
      APP_RUNTIME: ENGINE,
      APP_PASS: PASSWORD,
      APP_LOG_LEVEL: 'warn',
      SESSION_TIMEOUT: SESSION_SECONDS,
      ...LIMITS,
      NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/soak/active-resources.mjs')).href}`,
      SOAK_RESOURCES: resources,
    });
    const { tag } = await presentImage(server, ENGINE);
    say(`soak: creating the cluster ${CLUSTER} with ${tag}`);
    await createCluster(server, tag, signal);
    await uploadCharts(server);
    board = await LogBoardClient.open(server.logBoardUrl, PASSWORD);
    say('soak: filling the history of logs to its limit');
    const seconds = minutes * 60 + (FILLED_WITHIN_MS + LAST_MS) / 1000;
    const writer = await ContainerWriter.start(ENGINE, { rate: RATE, seconds });
    writers.push(writer);
    let lines = 0;
    await board.follow(writer.id, (received) => (lines += received.length));
    await untilFull(board, writer.id, signal);

    say(`soak: measuring for ${minutes} minutes`);
    const failure = new AbortController();
    const over = AbortSignal.any([signal, failure.signal, AbortSignal.timeout(minutes * 60_000)]);
    const target = { pid: server.child.pid, folder: server.folder, resources };
    const working = repeatUntil(over, workload({ server, board, tag, signal: over }));
    const samples = await sampleUntil(over, target, file).finally(() => failure.abort());
    const done = await Promise.race([working, delay(LAST_MS, undefined, { ref: false })]);
    if (!done) throw new Error('what was running at the end did not end');
    return { samples, done, lines };
  } finally {
    board?.close();
    await server?.stop();
    ContainerWriter.stop(writers);
    await removeClusters();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createCluster(server, tag, signal) {
  const wanted = { name: CLUSTER, workers: 0, node_image_tag: tag, runtime: ENGINE };
  const { job_id: id } = await ask(server, 'POST', '/clusters', wanted);
  const { state, error } = await jobUntil(
    server,
    id,
    (job) => signal.aborted || !['queued', 'running'].includes(job.state),
  );
  signal.throwIfAborted();
  if (state !== 'succeeded') throw new Error(`the cluster could not be created: ${error?.message}`);
}

async function uploadCharts(server) {
  importTypescript();
  const { packChart, shopChart } = await import('../support/charts/own-chart.ts');
  for (const version of ['1.0.0', '1.1.0']) {
    const response = await fetch(`${server.url}/api/v1/clusters/${CLUSTER}/addons/charts`, {
      method: 'POST',
      headers: { 'content-type': 'application/gzip' },
      body: await packChart(shopChart(version)),
    });
    if (!response.ok) throw new Error(`the upload of a chart returned ${await response.text()}`);
  }
}

/** Waits until the oldest lines are deleted. */
async function untilFull(board, container, signal) {
  const deadline = performance.now() + FILLED_WITHIN_MS;
  while ((await board.source(container)).first_seq === 1) {
    if (performance.now() > deadline) throw new Error('no line was deleted although the history is small');
    await delay(1000, undefined, { signal });
  }
}

/** Also those of a soak that was killed. */
async function removeClusters() {
  for (const name of [CLUSTER, PASSING]) {
    await run('kind', ['delete', 'cluster', `--name=${name}`, '--kubeconfig=/dev/null'], {
      quiet: true,
      environment: { KIND_EXPERIMENTAL_PROVIDER: ENGINE },
    });
  }
}
