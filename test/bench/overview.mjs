import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ClusterOfPods } from './cluster-of-pods.mjs';
import { Figure, medianOf } from './figures.mjs';
import { HttpLoad } from './http-load.mjs';
import { ask, look, untilRunning } from './product.mjs';

/** The cluster of the figures without a viewer. */
const FEW_PODS = 50;
const CONFIG_MAPS = 250;
const READS = 100;
const READERS = 50;
const READERS_MS = 5000;
const PODS = 1000;
const ROUNDS = 5;
const LOOKS = 20;
const KINDS = [
  ['nodes', 'namespaces', 'pods', 'deployments', 'replicasets', 'statefulsets', 'daemonsets'],
  ['jobs', 'cronjobs', 'services', 'endpointslices', 'ingresses', 'networkpolicies', 'configmaps'],
  ['secrets', 'persistentvolumeclaims', 'serviceaccounts', 'roles', 'rolebindings', 'events'],
].flat();

/**
 * The overview of a cluster compared with `kubectl get -A -o json` for each kind. Cold is the first request after the
 * start of the server; with a viewer are further requests while a page shows the cluster.
 */
export async function overview({ engine = 'docker' }) {
  const cluster = await ClusterOfPods.start(engine);
  try {
    await cluster.fill(FEW_PODS);
    await cluster.fillConfigMaps(CONFIG_MAPS);
    const unwatched = await withoutViewer(cluster, engine);
    await cluster.fill(PODS);
    const kubectl = [];
    const cold = [];
    const viewed = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      kubectl.push(await byKubectl(cluster));
      const ours = await byProduct(cluster, engine);
      cold.push(ours.cold);
      viewed.push(ours.viewed);
      say(
        `overview: round ${round + 1}: ${ms(ours.cold)} cold, ${ms(ours.viewed)} viewed, ${ms(kubectl[round])} by kubectl`,
      );
    }
    const versus = `medians ${ms(medianOf(cold))} cold, ${ms(medianOf(viewed))} viewed, ${ms(medianOf(kubectl))} by kubectl`;
    const figure = (title, goal, values) =>
      new Figure({
        title: `overview of ${KINDS.length} kinds and ${PODS} pods ${title}, against kubectl`,
        unit: '×',
        goal,
        values: values.map((took, round) => took / kubectl[round]),
        versus,
      });
    return [...unwatched, figure('cold', 1, cold), figure('with a viewer', 1 / 20, viewed)];
  } finally {
    await cluster.stop();
  }
}

/** Requests for all kinds, one after the other from the first one on, and then of many readers at once. */
async function withoutViewer(cluster, engine) {
  const server = await BuiltServer.start({ APP_RUNTIME: engine });
  try {
    await untilRunning(server, cluster.name, engine);
    const url = `${server.url}/api/v1/clusters/${cluster.name}/overview?runtime=${engine}`;
    const one = new HttpLoad({ url, connections: 1 });
    const alone = await one.times(READS);
    one.close();
    const many = new HttpLoad({ url, connections: READERS });
    const together = await many.forAsLongAs(READERS_MS);
    many.close();
    const kubectl = await byKubectl(cluster);
    const title = `overview of all kinds, ${FEW_PODS} pods and ${CONFIG_MAPS} config maps, no viewer`;
    const versus = `first ${ms(alone[0])}; kubectl took ${ms(kubectl)} for ${KINDS.length} kinds`;
    return [
      new Figure({ title, unit: 'ms', goal: 50, decides: 'p95', values: alone, versus }),
      new Figure({
        title: `${title}, ${READERS} readers at once`,
        unit: 'ms',
        goal: 100,
        decides: 'p95',
        values: together,
        versus: `${((together.length * 1000) / READERS_MS).toFixed(0)} responses/s`,
      }),
    ];
  } finally {
    await server.stop();
  }
}

async function byKubectl(cluster) {
  const began = performance.now();
  for (const kind of KINDS) await cluster.kubectl('get', kind, '--all-namespaces', '--output=json');
  return performance.now() - began;
}

async function byProduct(cluster, engine) {
  const server = await BuiltServer.start({ APP_RUNTIME: engine });
  let viewer;
  try {
    await untilRunning(server, cluster.name, engine);
    const read = async () => {
      const began = performance.now();
      const blocks = `blocks=${KINDS.join()}`;
      const answer = await ask(
        server,
        'GET',
        `/clusters/${cluster.name}/overview?runtime=${engine}&${blocks}`,
      );
      const took = performance.now() - began;
      const failed = KINDS.filter((kind) => answer[`k8s_${kind}`]?.error !== null);
      if (failed.length > 0) throw new Error(`the overview failed for ${failed.join(', ')}`);
      const { total } = answer.k8s_pods;
      if (total < PODS) throw new Error(`the overview shows ${total} pods`);
      return took;
    };
    const cold = await read();
    viewer = await look(server, `overview:${engine}/${cluster.name}`);
    const looks = [];
    for (let count = 0; count < LOOKS; count += 1) looks.push(await read());
    return { cold, viewed: medianOf(looks) };
  } finally {
    viewer?.terminate();
    await server.stop();
  }
}

function ms(value) {
  return `${value.toFixed(0)} ms`;
}
