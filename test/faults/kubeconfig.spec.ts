import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createCluster } from '../support/app/clusters.js';
import { OWN_KUBECONFIG } from '../support/own-kubeconfig.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';

const APPEARS_MS = 30_000;

/** Resolves when a file with this name appears in a folder. */
async function appears(folder: string, name: RegExp): Promise<void> {
  const seen = new Set<string>();
  const { promise, resolve, reject } = Promise.withResolvers<null>();
  const watcher = watch(folder, (_event, file) => {
    seen.add(file ?? '');
    if (name.test(file ?? '')) resolve(null);
  });
  const deadline = setTimeout(() => {
    const others = [...seen].join(', ') || 'nothing';
    reject(new Error(`no file like ${name} in ${folder} within ${APPEARS_MS} ms; changed: ${others}`));
  }, APPEARS_MS);
  await promise.finally(() => {
    watcher.close();
    clearTimeout(deadline);
  });
}

function contextsOf(text: string): string[] {
  return (parse(text) as { contexts: { name: string }[] }).contexts.map(({ name }) => name);
}

describe('SIGKILL during POST …/kubeconfig/merge', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const running: ServerProcess[] = [];

  const start = async (): Promise<ServerProcess> => {
    const server = await ServerProcess.start({
      HOME: folder,
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '100',
      APP_DATA_DIR: join(folder, 'data'),
    });
    running.push(server);
    return server;
  };

  beforeEach(async () => {
    ({ path: folder, remove } = await temporaryFolder());
  });

  afterEach(async () => {
    for (const server of running.splice(0)) await server.kill();
    await remove();
  });

  it.each([
    ['when it holds the lock', /\.lock$/],
    ['when it has written the backup', /\.slipway-backup-/],
  ])('leaves a valid file that can be changed again, %s', async (_what, moment) => {
    const kube = join(folder, '.kube');
    const path = join(kube, 'config');
    mkdirSync(kube);
    writeFileSync(path, OWN_KUBECONFIG, { mode: 0o600 });
    const first = await start();
    await createCluster(first.client, 'before');
    const reached = appears(kube, moment);
    const answer = first.client.send('POST', '/api/v1/clusters/before/kubeconfig/merge', { body: {} });
    await Promise.all([reached.then(() => first.kill()), answer.catch(() => undefined)]);

    const left = readFileSync(path, 'utf8');
    if (left !== OWN_KUBECONFIG) expect(contextsOf(left)).toEqual(['work', 'kind-before']);
    for (const name of readdirSync(kube).filter((file) => file.includes('backup'))) {
      expect(readFileSync(join(kube, name), 'utf8')).toBe(OWN_KUBECONFIG);
    }

    const second = await start();
    await createCluster(second.client, 'after');
    const { status } = await second.client.send('POST', '/api/v1/clusters/after/kubeconfig/merge', {
      body: {},
    });
    expect(status).toBe(200);
    expect(contextsOf(readFileSync(path, 'utf8'))).toEqual([...contextsOf(left), 'kind-after']);
    expect(readdirSync(kube).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});
