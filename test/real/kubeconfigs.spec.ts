import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeUserKubeconfig } from '../../backend/src/modules/kubeconfig/user-kubeconfig-document.js';
import { generatedKubeconfigs } from '../support/kubernetes/generated-kubeconfigs.js';
import {
  CORPUS_FILE,
  recordedKubeconfigs,
  type ReadKubeconfig,
  type RecordedKubeconfig,
} from '../support/kubernetes/kubeconfig-corpus.js';
import { KUBECONFIG_MERGES, type MergedContext } from '../support/kubernetes/kubeconfig-merges.js';

interface Named {
  name: string;
  cluster?: { server?: string; 'certificate-authority-data'?: string };
  context?: { cluster?: string; user?: string };
}

interface Minified {
  clusters: { cluster: { server: string; 'proxy-url'?: string } }[];
  contexts: { context: { namespace?: string } }[];
  users: { user: { token?: string } }[] | null;
}

interface Shown {
  'current-context': string;
  clusters: Named[] | null;
  contexts: Named[] | null;
}

const ENTRY = {
  name: 'kind-staging',
  server: 'https://127.0.0.1:1',
  authority: 'Q0E=',
  user: { token: 'a' },
};

describe('kubectl config view --raw', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-kubectl-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function kubectl(...args: string[]): Promise<string> {
    return (await promisify(execFile)('kubectl', [...args, '-o', 'json'])).stdout;
  }

  async function readWithKubectl(text: string): Promise<Pick<RecordedKubeconfig, 'read' | 'error'>> {
    const path = join(folder, 'config');
    writeFileSync(path, text);
    try {
      return {
        read: summaryOf(JSON.parse(await kubectl('config', 'view', '--raw', '--kubeconfig', path)) as Shown),
      };
    } catch (error) {
      return { error: (error as { stderr: string }).stderr.trim().replace(path, 'config') };
    }
  }

  /** With APP_TEST_RECORD=1, records the results. */
  it('reads them as recorded', async () => {
    const recorded = recordedKubeconfigs();
    const results: RecordedKubeconfig[] = [];
    for (const { name, text } of recorded.results) {
      results.push({ name, text, ...(await readWithKubectl(text)) });
    }
    if (process.env['APP_TEST_RECORD'] === '1') {
      const version = JSON.parse(await kubectl('version', '--client')) as {
        clientVersion: { gitVersion: string };
      };
      const content = { kubectl: version.clientVersion.gitVersion, results };
      writeFileSync(CORPUS_FILE, `${JSON.stringify(content, undefined, 2)}\n`);
    } else expect(results).toEqual(recorded.results);
  });

  it('reads merged kubeconfigs with the same contexts and one more', async () => {
    for (const text of generatedKubeconfigs(60)) {
      const merged = changeUserKubeconfig(text, [{ type: 'put', entry: ENTRY }]);
      const { name, server, authority } = ENTRY;
      const { read } = await readWithKubectl(text);
      expect(await readWithKubectl(merged)).toEqual({
        read: { ...read, contexts: { ...read?.contexts, [name]: [name, name, server, authority] } },
      });
    }
  });

  it.each(KUBECONFIG_MERGES)('merges $name as recorded', async ({ files, contexts }) => {
    const paths = files.map((text, index) => {
      const path = join(folder, `merge-${index}`);
      rmSync(path, { force: true });
      if (text !== null) writeFileSync(path, text);
      return path;
    });
    for (const [name, expected] of Object.entries(contexts)) {
      const options = ['--raw', '--flatten', '--minify', `--context=${name}`, '-o', 'json'];
      const merged = promisify(execFile)('kubectl', ['config', 'view', ...options], {
        env: { ...process.env, KUBECONFIG: paths.join(':') },
      });
      const read = await merged.then(
        ({ stdout }) => mergedOf(JSON.parse(stdout) as Minified),
        () => null,
      );
      expect([name, read]).toEqual([name, expected]);
    }
  });
});

function mergedOf({ clusters, contexts, users }: Minified): MergedContext {
  const cluster = clusters[0]?.cluster;
  return {
    server: cluster?.server ?? null,
    token: users?.[0]?.user.token ?? null,
    namespace: contexts[0]?.context.namespace ?? null,
    proxy: cluster?.['proxy-url'] ?? null,
  };
}

function summaryOf({ 'current-context': current, clusters, contexts }: Shown): ReadKubeconfig {
  const endpoints = new Map(clusters?.map(({ name, cluster }) => [name, cluster]));
  return {
    current,
    contexts: Object.fromEntries(
      (contexts ?? []).map(({ name, context: { cluster = '', user = '' } = {} }) => {
        const { server = '', 'certificate-authority-data': authority = '' } = endpoints.get(cluster) ?? {};
        return [name, [cluster, user, server, authority]];
      }),
    ),
  };
}
