import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createCluster } from '../support/app/clusters.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';

const WORK = `apiVersion: v1
clusters:
- cluster:
    server: https://work.example.org:6443
  name: work
contexts:
- context:
    cluster: work
    user: me
  name: work
current-context: work
kind: Config
users:
- name: me
  user:
    token: mine
`;

/** Resolves at once when a file of that name comes into a folder. */
async function appears(folder: string, name: RegExp): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, (_event, file) => {
      if (file === null || !name.test(file)) return;
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
    ['its lock is there', /\.lock$/],
    ['the first new file is written', /\.tmp$/],
    ['the backup is there', /\.slipway-backup-/],
  ])('as soon as %s: the file is whole, and can be changed again', async (_what, moment) => {
    const folder = await temporaryFolder();
    const kube = join(folder.path, '.kube');
    const path = join(kube, 'config');
    mkdirSync(kube);
    writeFileSync(path, WORK, { mode: 0o600 });
    const environment = {
      HOME: folder.path,
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '100',
      APP_DATA_DIR: join(folder.path, 'data'),
    };
    const first = await ServerProcess.start(environment);
    await createCluster(first.client, 'before');
    const reached = appears(kube, moment);
    const answer = first.client.send('POST', '/api/v1/clusters/before/kubeconfig/merge', { body: {} });
    await Promise.all([reached.then(() => first.kill()), answer.catch(() => undefined)]);

    const left = readFileSync(path, 'utf8');
    if (left !== WORK) expect(contextsOf(left)).toEqual(['work', 'kind-before']);
    for (const name of readdirSync(kube).filter((file) => file.includes('backup'))) {
      expect(readFileSync(join(kube, name), 'utf8')).toBe(WORK);
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
