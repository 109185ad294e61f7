import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/** With more, an API server with few processors responds later and not to more of them. */
const CONCURRENT = 24;
const FILLED_WITHIN_MS = 240_000;
const RETRY_MS = 500;
/** Longer than between two objects of a controller. */
const SETTLED_MS = 2000;
const KINDS_PER_GROUP = 10;

/**
 * Makes a cluster large with objects that need no node: its Pods have a scheduler that does not exist. What exists stays,
 * so that a cluster can be used again.
 * @param access `server`, `ca`, `cert` and `key` of an administrator
 * @param counts how many `pods`, `namespaces` and `crds`
 * @throws Error if the API server takes too long
 */
export async function fillLargely(access, { pods, namespaces, crds }) {
  const { server, ...tls } = access;
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT, ...tls });
  const deadline = AbortSignal.timeout(FILLED_WITHIN_MS);
  const send = (method, path, body) =>
    exchange(new URL(path, server), { method, agent, signal: deadline }, body);
  const create = (path, object) => post(send, path, object, deadline);
  const numbers = (count) => Array.from({ length: count }, (_, number) => number);
  const nameOf = (number) => `bench-${String(number % namespaces).padStart(4, '0')}`;
  try {
    await Promise.all([
      inParallel(numbers(namespaces), async (number) => {
        await create('/api/v1/namespaces', { metadata: { name: nameOf(number) } });
        // Its controller makes 20 of them per second, and there are no Pods without it.
        await create(`/api/v1/namespaces/${nameOf(number)}/serviceaccounts`, {
          metadata: { name: 'default' },
        });
      }),
      inParallel(numbers(crds), (number) =>
        create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crdOf(number)),
      ),
    ]);
    await inParallel(numbers(pods), (number) =>
      create(`/api/v1/namespaces/${nameOf(number)}/pods`, podOf(number)),
    );
    await settled(send, crds, deadline);
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new Error(`the API server did not take all objects within ${FILLED_WITHIN_MS / 1000} s`);
  } finally {
    agent.destroy();
  }
}

async function inParallel(items, work) {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

/** Waits until the CRDs are served, and until the controllers have made their objects in the namespaces. */
async function settled(send, crds, signal) {
  const groups = Array.from({ length: Math.ceil(crds / KINDS_PER_GROUP) }, (_, number) => groupOf(number));
  for (const group of groups) {
    while ((await send('GET', `/apis/${group}/v1`)).status !== 200)
      await delay(RETRY_MS, undefined, { signal });
  }
  const configMaps = async () => {
    const { text } = await send('GET', '/api/v1/configmaps?limit=1');
    return JSON.parse(text).metadata.remainingItemCount;
  };
  for (let before, now = await configMaps(); before !== now; now = await configMaps()) {
    before = now;
    await delay(SETTLED_MS, undefined, { signal });
  }
}

function exchange(url, options, body = '') {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request(url, { ...options, headers }, async (response) => {
      const chunks = await response.toArray().catch(() => []);
      resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() });
    })
      .on('error', reject)
      .end(body);
  });
}

/** Repeats what the server refuses for the time being. */
async function post(send, path, object, signal) {
  const body = JSON.stringify(object);
  for (;;) {
    const { status, text } = await send('POST', path, body);
    if (status < 300 || status === 409) return;
    // Admission reads service accounts from a cache.
    if (![403, 429, 500, 503, 504].includes(status)) {
      throw new Error(`POST ${path} returned ${status}: ${text.slice(0, 300)}`);
    }
    await delay(RETRY_MS, undefined, { signal });
  }
}

function podOf(number) {
  return {
    metadata: { name: `cheap-${String(number).padStart(5, '0')}`, labels: { app: 'cheap' } },
    spec: { schedulerName: 'none', containers: [{ name: 'main', image: 'registry.example/none:v1' }] },
  };
}

function groupOf(number) {
  return `group${number}.bench.example`;
}

function crdOf(number) {
  const group = groupOf(Math.floor(number / KINDS_PER_GROUP));
  const singular = `thing${number}`;
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: `${singular}s`, singular, kind: `Thing${number}`, listKind: `Thing${number}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}
