import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { findMissingEngines } from '../../scripts/engines.mjs';
import { run } from '../../scripts/process.mjs';
import { presentImage } from './product.mjs';

const NAME = 'bench-pods';
const NAMESPACE = 'bench';
const READY_WITHIN = '300s';
const AT_ONCE = 4;
const PER_CALL = 250;

/**
 * A cluster with one node, created with kind directly, and Pods that only exist as objects: their scheduler does not
 * exist, so no node runs them.
 */
export class ClusterOfPods {
  name = NAME;
  pods = 0;

  static async start(engine) {
    const missing = await findMissingEngines([engine]);
    if (missing.length > 0) throw new Error(missing.join(' '));
    const image = await imageOn(engine);
    const cluster = new ClusterOfPods();
    cluster.engine = engine;
    cluster.folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
    cluster.kubeconfig = join(cluster.folder, 'kubeconfig');
    try {
      await cluster.kind('create', 'cluster', `--name=${NAME}`, `--image=${image}`);
      const ready = ['--for=condition=Ready', 'nodes', '--all', `--timeout=${READY_WITHIN}`];
      await cluster.kubectl('wait', ...ready);
      await cluster.kubectl('create', 'namespace', NAMESPACE);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Makes as many as are missing. */
  async fill(count) {
    const calls = [];
    for (; this.pods < count; this.pods += PER_CALL) calls.push(this.writeList(this.pods, count));
    const worker = async () => {
      for (let file = calls.shift(); file; file = calls.shift())
        await this.kubectl('create', `--filename=${file}`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    this.pods = count;
  }

  async fillConfigMaps(count) {
    const items = Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `settings-${index}`, namespace: NAMESPACE },
      data: { value: 'x'.repeat(200) },
    }));
    const file = join(this.folder, 'config-maps.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await this.kubectl('create', `--filename=${file}`);
  }

  /** Changes so many of them, one by one as controllers would. */
  async touch(group, value) {
    await this.kubectl(
      'label',
      'pods',
      `--namespace=${NAMESPACE}`,
      `--selector=group=${group}`,
      `touched=${value}`,
      '--overwrite',
    );
  }

  async kubectl(...args) {
    return await this.must('kubectl', [`--kubeconfig=${this.kubeconfig}`, ...args]);
  }

  async stop() {
    await this.kind('delete', 'cluster', `--name=${NAME}`).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }

  writeList(from, count) {
    const items = Array.from({ length: Math.min(PER_CALL, count - from) }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `cheap-${String(from + index).padStart(5, '0')}`,
        namespace: NAMESPACE,
        labels: { app: 'cheap', group: String((from + index) % 20) },
      },
      spec: {
        schedulerName: 'none',
        containers: [{ name: 'main', image: 'registry.example/none:v1' }],
      },
    }));
    const file = join(this.folder, `pods-${from}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    return file;
  }

  async kind(...args) {
    await this.must('kind', [...args, `--kubeconfig=${this.kubeconfig}`]);
  }

  async must(program, args) {
    const { status, output } = await run(program, args, {
      quiet: true,
      environment: { KIND_EXPERIMENTAL_PROVIDER: this.engine },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output.slice(-2000)}`);
  }
}

/** Sent to a server that is not measured. */
async function imageOn(engine) {
  const server = await BuiltServer.start({ APP_RUNTIME: engine });
  try {
    return (await presentImage(server, engine)).image;
  } finally {
    await server.stop();
  }
}
