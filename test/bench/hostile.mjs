import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { root } from '../../scripts/process.mjs';
import { HOSTILE_ARCHIVES, HOSTILE_SCHEMAS, hostileChart } from '../support/hostile/hostile-archives.ts';
import { HOSTILE_JSON, HOSTILE_YAML } from '../support/hostile/hostile-yaml.ts';
import { Figure } from './figures.mjs';
import { ask, jobUntil } from './product.mjs';

const GOAL_MS = 100;
const POLL_MS = 10;
/** The most that each route takes, less what surrounds it. Of the kubeconfig, what its file may have. */
const ACCEPTED = { config: 99_000, manifests: 750_000, values: 190_000, chart: 63_000, chartValues: 990_000 };
/** Kinds of text that take longest, which are sent at a megabyte too. */
const LONGEST = [
  'a key bomb',
  'lists of a hundred levels',
  'brackets that close nothing',
  'a block of lines',
  'lists',
];
/** An address may make 120 changes a minute, and every one of 127.0.0.0/8 is this machine. */
const CHANGES_OF_AN_ADDRESS = 100;

const CLUSTER = '/clusters/bystander';
const KIND = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hostile}\n';

/** The event loop and GET /health while the server is sent the corpus of hostile files, one after the other. */
export async function hostile() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-hostile-'));
  const delaysFile = join(folder, 'delays.json');
  const kubeconfig = join(folder, 'config');
  const monitor = pathToFileURL(join(root, 'test', 'bench', 'event-loop-delays.mjs'));
  const server = await BuiltServer.start({
    APP_RUNTIME: 'demo',
    APP_DEMO_SPEED: '1000',
    KUBECONFIG: kubeconfig,
    NODE_OPTIONS: `--import=${monitor}`,
    SLIPWAY_EVENT_LOOP_FILE: delaysFile,
  });
  const health = new HealthPoll(server);
  try {
    const { job_id: id } = await ask(server, 'POST', '/clusters', {
      name: 'bystander',
      workers: 0,
      node_image_tag: 'v1.34.4',
    });
    await jobUntil(server, id, ({ state }) => state === 'succeeded');
    const sender = new Sender(server);
    // The first request of each kind starts a process and compiles what it needs.
    await sendConfigs(sender, HOSTILE_YAML.slice(0, 1));
    process.kill(server.child.pid, 'SIGUSR2');
    health.start();
    await sendConfigs(sender, [...HOSTILE_YAML, ...HOSTILE_JSON]);
    const longest = [...HOSTILE_YAML, ...HOSTILE_JSON].filter(([what]) => LONGEST.includes(what));
    await sendManifests(sender, longest);
    await sendValues(sender, longest);
    await sendKubeconfigs(sender, longest, kubeconfig);
    await sendCharts(sender, longest);
  } finally {
    await health.stop();
    await server.stop();
  }
  const delays = JSON.parse(readFileSync(delaysFile, 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  const common = { unit: 'ms', goal: GOAL_MS, decides: 'p99' };
  return [
    new Figure({ ...common, title: 'event-loop delay during the hostile corpus', values: delays }),
    new Figure({ ...common, title: 'GET /health during the hostile corpus', values: health.times }),
  ];
}

async function sendConfigs(sender, texts) {
  for (const [what, textOf] of texts) {
    const body = { name: 'hostile', config: KIND + textOf(ACCEPTED.config) };
    await sender.send(what, 'POST', '/clusters/check', body);
  }
}

async function sendManifests(sender, texts) {
  for (const [what, textOf] of texts) {
    const body = { yaml: OBJECT + textOf(ACCEPTED.manifests), dry_run: true };
    await sender.send(what, 'POST', `${CLUSTER}/resources/apply`, body);
  }
}

async function sendValues(sender, texts) {
  for (const [what, textOf] of texts) {
    const body = { addon: 'kiali', values: textOf(ACCEPTED.values), dry_run: true };
    await sender.send(what, 'POST', `${CLUSTER}/addons`, body);
  }
}

async function sendKubeconfigs(sender, texts, file) {
  for (const [what, textOf] of texts) {
    writeFileSync(file, `apiVersion: v1\nkind: Config\n${textOf(ACCEPTED.chartValues)}`);
    await sender.send(what, 'POST', `${CLUSTER}/kubeconfig/merge`, {});
  }
  rmSync(file);
}

async function sendCharts(sender, texts) {
  const install = { repository: 'uploaded', chart: 'hostile', dry_run: true };
  for (const [what, textOf] of texts) {
    await sender.upload(what, hostileChart({ 'Chart.yaml': textOf(ACCEPTED.chart) }));
    await sender.upload(what, hostileChart({ 'values.yaml': textOf(ACCEPTED.chartValues) }));
    await sender.send(what, 'POST', `${CLUSTER}/addons`, install);
  }
  for (const [what, bytes] of HOSTILE_ARCHIVES) await sender.upload(what, bytes());
  for (const [what, schema, values] of HOSTILE_SCHEMAS) {
    await sender.upload(what, hostileChart({ 'values.schema.json': JSON.stringify(schema()) }));
    await sender.send(what, 'GET', `${CLUSTER}/addons/charts?repository=uploaded&chart=hostile`);
    await sender.send(what, 'POST', `${CLUSTER}/addons`, { ...install, values });
  }
}

/** Sends requests and takes any response but a failure of the server. */
class Sender {
  sent = 0;

  constructor(server) {
    this.server = server;
  }

  async send(what, method, path, body = undefined) {
    await this.deliver(
      what,
      method,
      path,
      'application/json',
      body === undefined ? '' : JSON.stringify(body),
    );
  }

  async upload(what, bytes) {
    await this.deliver(what, 'POST', `${CLUSTER}/addons/charts`, 'application/gzip', bytes);
  }

  async deliver(what, method, path, type, body) {
    this.sent += 1;
    const localAddress = `127.0.0.${2 + Math.floor(this.sent / CHANGES_OF_AN_ADDRESS)}`;
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const status = await call(`${this.server.url}/api/v1${path}`, { method, headers, localAddress }, body);
    if (status >= 500 || status === 429) throw new Error(`${method} ${path} with ${what} answered ${status}`);
  }
}

/** Polls the health of the server. */
class HealthPoll {
  times = [];
  agent = new Agent({ keepAlive: true });
  isRunning = false;
  ended = Promise.resolve();

  constructor(server) {
    this.url = `${server.url}/api/v1/health`;
  }

  start() {
    this.isRunning = true;
    this.ended = this.poll();
  }

  async stop() {
    this.isRunning = false;
    await this.ended;
    this.agent.destroy();
  }

  async poll() {
    while (this.isRunning) {
      const began = performance.now();
      await call(this.url, { agent: this.agent }, '');
      this.times.push(performance.now() - began);
      await delay(POLL_MS);
    }
  }
}

/** @returns the status, once the whole response is there. */
function call(url, options, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      incoming.on('end', () => resolve(incoming.statusCode)).on('error', reject);
      incoming.resume();
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
