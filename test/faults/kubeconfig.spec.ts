import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createCluster } from '../support/app/clusters.js';
import { OWN_KUBECONFIG } from '../support/own-kubeconfig.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';

/** Resolves at once when the nth file of that name comes into a folder. */
async function appears(folder: string, name: RegExp, nth: number): Promise<void> {
  const seen = new Set<string>();
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, (_event, file) => {
      if (file === null || !name.test(file) || seen.add(file).size < nth) return;
      watcher.close();
      resolve();
    });
  });
}

function contextsOf(text: string): string[] {
  return (parse(text) as { contexts: { name: string }[] }).contexts.map(({ name }) => name);
}

describe('SIGKILL of the server in the middle of a change of the user’s own kubeconfig', () => {
  it.each([
    ['it claims the lock', /\.tmp$/, 1],
    ['its lock is there', /\.lock$/, 1],
    ['the first new file is written', /\.tmp$/, 2],
    ['the backup is there', /\.slipway-backup-/, 1],
  ])('as soon as %s: the file is whole, and can be changed again', async (_what, moment, nth) => {
    const folder = await temporaryFolder();
    const kube = join(folder.path, '.kube');
    const path = join(kube, 'config');
    mkdirSync(kube);
    writeFileSync(path, OWN_KUBECONFIG, { mode: 0o600 });
    const environment = {
      HOME: folder.path,
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '100',
      APP_DATA_DIR: join(folder.path, 'data'),
    };
    const first = await ServerProcess.start(environment);
    await createCluster(first.client, 'before');
    const reached = appears(kube, moment, nth);
    const answer = first.client.send('POST', '/api/v1/clusters/before/kubeconfig/merge', { body: {} });
    await Promise.all([reached.then(() => first.kill()), answer.catch(() => undefined)]);

    const left = readFileSync(path, 'utf8');
    if (left !== OWN_KUBECONFIG) expect(contextsOf(left)).toEqual(['work', 'kind-before']);
    for (const name of readdirSync(kube).filter((file) => file.includes('backup'))) {
      expect(readFileSync(join(kube, name), 'utf8')).toBe(OWN_KUBECONFIG);
    }

    const second = await ServerProcess.start(environment);
    await createCluster(second.client, 'after');
    const { status } = await second.client.send('POST', '/api/v1/clusters/after/kubeconfig/merge', {
      body: {},
    });
    expect(status).toBe(200);
    expect(contextsOf(readFileSync(path, 'utf8'))).toEqual([...contextsOf(left), 'kind-after']);
    expect(readdirSync(kube).filter((name) => name.endsWith('.lock'))).toEqual([]);
    await second.stop();
    await folder.remove();
  });
});
