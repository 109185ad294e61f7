import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { findMissingEngines } from '../../scripts/engines.mjs';
import { run, say } from '../../scripts/process.mjs';
import { Figure, medianOf } from './figures.mjs';
import { ask, jobUntil, presentImage } from './product.mjs';

/** One control plane and one worker, for both sides. */
const SHAPE = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
  - role: worker
`;
const READY_WITHIN = '300s';

/**
 * A create by the product against what a user would type instead: `kind create cluster`, then waiting until
 * all nodes are Ready and the cluster's DNS is available, which is when the product's job ends. In
 * alternating pairs, so that a machine that grows slower or faster burdens both alike.
 */
export async function create({ pairs = 5, engine = 'docker' }) {
  const missing = await findMissingEngines([engine]);
  if (missing.length > 0) throw new Error(missing.join(' '));
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const server = await BuiltServer.start({ APP_RUNTIME: engine });
  const bench = new CreateBench(server, engine, folder, await presentImage(server, engine));
  try {
    say(`create: ${pairs} pairs on ${engine} with ${bench.image}`);
    const ours = [];
    const bare = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const sides = [
        async () => ours.push(await bench.byProduct()),
        async () => bare.push(await bench.byKind()),
      ];
      for (const side of pair % 2 === 0 ? sides : sides.reverse()) await side();
      say(`create: pair ${pair + 1}: ${seconds(ours[pair])} against ${seconds(bare[pair])}`);
    }
    return [
      new Figure({
        title: `create 1+1 on ${engine}, against bare kind until ready`,
        unit: '×',
        goal: 1.1,
        values: ours.map((ms, pair) => ms / bare[pair]),
        versus: `medians ${seconds(medianOf(ours))} and ${seconds(medianOf(bare))}`,
      }),
      new Figure({
        title: `create on ${engine}, click to job id`,
        unit: 'ms',
        goal: 200,
        values: bench.toId,
      }),
      new Figure({
        title: `create on ${engine}, click to first step`,
        unit: 'ms',
        goal: 2000,
        values: bench.toStep,
      }),
    ];
  } finally {
    await bench.clean();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class CreateBench {
  toId = [];
  toStep = [];

  constructor(server, engine, folder, { tag, image }) {
    this.tag = tag;
    this.image = image;
    this.server = server;
    this.engine = engine;
    this.folder = folder;
    this.environment = { KIND_EXPERIMENTAL_PROVIDER: engine };
    this.kubeconfig = join(folder, 'kubeconfig');
    this.config = join(folder, 'cluster.yaml');
    writeFileSync(this.config, SHAPE);
  }

  async byProduct() {
    const began = performance.now();
    const { job_id: id } = await ask(this.server, 'POST', '/clusters', {
      name: 'bench-product',
      workers: 1,
      node_image_tag: this.tag,
      runtime: this.engine,
    });
    this.toId.push(performance.now() - began);
    await jobUntil(this.server, id, ({ progress_steps: steps }) =>
      steps.some(({ state }) => state !== 'pending'),
    );
    this.toStep.push(performance.now() - began);
    const job = await jobUntil(this.server, id, ({ finished_at: finished }) => finished !== null);
    const took = performance.now() - began;
    if (job.state !== 'succeeded') throw new Error(`the create ended ${job.state}: ${job.error?.message}`);
    await ask(this.server, 'DELETE', '/clusters/bench-product');
    return took;
  }

  async byKind() {
    const access = `--kubeconfig=${this.kubeconfig}`;
    const began = performance.now();
    await this.must('kind', [
      'create',
      'cluster',
      '--name=bench-bare',
      `--image=${this.image}`,
      `--config=${this.config}`,
      access,
    ]);
    await this.must('kubectl', [
      'wait',
      access,
      '--for=condition=Ready',
      'nodes',
      '--all',
      `--timeout=${READY_WITHIN}`,
    ]);
    await this.must('kubectl', [
      'wait',
      access,
      '--namespace=kube-system',
      '--for=condition=Available',
      'deployment/coredns',
      `--timeout=${READY_WITHIN}`,
    ]);
    const took = performance.now() - began;
    await this.must('kind', ['delete', 'cluster', '--name=bench-bare', access]);
    return took;
  }

  /** Whatever a failure left. */
  async clean() {
    for (const name of ['bench-product', 'bench-bare'])
      await run('kind', ['delete', 'cluster', `--name=${name}`, `--kubeconfig=${this.kubeconfig}`], {
        quiet: true,
        environment: this.environment,
      });
  }

  async must(program, args) {
    const { status, output } = await run(program, args, { quiet: true, environment: this.environment });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`);
  }
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
