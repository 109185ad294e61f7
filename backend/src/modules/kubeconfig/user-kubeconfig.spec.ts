import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readConfiguration } from '../../core/config/index.js';
import { Database, migrations } from '../../core/storage/index.js';
import type { ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import type { JournalService } from '../journal/index.js';
import type { ClusterKubeconfigs } from '../clusters/index.js';
import { KubeconfigEntryStore } from './kubeconfig-entry.store.js';
import { UserKubeconfig } from './user-kubeconfig.js';
import { testKubeconfig } from '../../../../test/support/kubernetes/test-kubeconfig.js';

const DOCKER = { name: 'staging', runtime: 'docker' };
const PODMAN = { name: 'staging', runtime: 'podman' };

function kindKubeconfig(authority: string, port = 37655): ClusterKubeconfig {
  const credentials = { 'client-certificate-data': authority, 'client-key-data': authority };
  return testKubeconfig({
    name: 'kind-staging',
    server: `https://127.0.0.1:${port}`,
    authority,
    user: credentials,
  });
}

interface Kubeconfig {
  'current-context': string;
  contexts: { name: string }[];
  clusters: { name: string; cluster: Record<string, string> }[];
}

describe('UserKubeconfig', () => {
  let home: string;
  let database: Database;
  let recorded: string[];
  /** The kubeconfig in the control plane of an adopted cluster. */
  let adopted: ClusterKubeconfig | undefined;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
    database = Database.open(join(home, 'slipway.db'), migrations);
    recorded = [];
    adopted = undefined;
  });

  afterEach(() => {
    database.close();
    rmSync(home, { recursive: true, force: true });
  });

  function user(environment: Record<string, string> = {}): UserKubeconfig {
    const configuration = readConfiguration({ HOME: home, APP_DATA_DIR: join(home, 'data'), ...environment });
    return new UserKubeconfig(
      configuration,
      new KubeconfigEntryStore(database),
      {
        read: () =>
          adopted === undefined ? Promise.reject(new Error('unexpected call')) : Promise.resolve(adopted),
      } as unknown as ClusterKubeconfigs,
      { recordEventually: ({ kind }: { kind: string }) => recorded.push(kind) } as unknown as JournalService,
    );
  }

  async function add(
    target: UserKubeconfig,
    key: typeof DOCKER,
    kubeconfig: ClusterKubeconfig,
    options: { setCurrent?: boolean; namesake?: boolean } = {},
  ): Promise<string> {
    const { file, context } = await target.add(key, () => Promise.resolve(kubeconfig), {
      setCurrent: false,
      namesake: false,
      ...options,
    });
    return `${file.replace(home, '~')} ${context}`;
  }

  function write(name: string, text: string): string {
    const path = join(home, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  function read(name = '.kube/config'): Kubeconfig {
    return parse(readFileSync(join(home, name), 'utf8')) as Kubeconfig;
  }

  describe('add', () => {
    const one = (): string => join(home, 'one');
    const two = (): string => join(home, 'two');

    it('writes to ~/.kube/config if KUBECONFIG is empty', async () => {
      expect(await add(user(), DOCKER, kindKubeconfig('QQ=='))).toBe('~/.kube/config kind-staging');
      expect(await add(user({ KUBECONFIG: '::' }), DOCKER, kindKubeconfig('QQ=='))).toBe(
        '~/.kube/config kind-staging',
      );
    });

    it('writes to the first file of KUBECONFIG that exists, or else to the last', async () => {
      const both = user({ KUBECONFIG: `${one()}::${two()}:${one()}` });
      expect(await add(both, DOCKER, kindKubeconfig('QQ=='))).toBe('~/two kind-staging');
      write('one', 'kind: Config\n');
      expect(await add(both, { ...DOCKER, name: 'other' }, kindKubeconfig('Qg==', 1))).toBe(
        '~/one kind-other',
      );
    });

    it('updates the file with the entry, and sets the current context in the first file', async () => {
      write('one', 'kind: Config\ncurrent-context: work\n');
      write('two', kindKubeconfig('QQ==').text);
      const both = user({ KUBECONFIG: `${one()}:${two()}` });
      expect(await add(both, DOCKER, kindKubeconfig('QQ==', 40_000), { setCurrent: true })).toBe(
        '~/two kind-staging',
      );
      expect(read('two').clusters[0]?.cluster['server']).toBe('https://127.0.0.1:40000');
      expect([read('one')['current-context'], read('one').contexts]).toEqual(['kind-staging', undefined]);
      expect(await both.state(DOCKER, undefined)).toMatchObject({ file: two(), merged: true, current: true });
      await both.remove(DOCKER);
      expect([read('one')['current-context'], read('two').contexts]).toEqual(['', undefined]);
      expect(read('two')['current-context']).toBe('');
    });

    it('rejects a relative path in KUBECONFIG', async () => {
      const relative = user({ KUBECONFIG: 'config' });
      await expect(add(relative, DOCKER, kindKubeconfig('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_unusable',
      });
      expect((await relative.state(DOCKER, undefined)).problem).toContain('relative path config');
    });

    it('writes nothing if a file of KUBECONFIG is invalid, because kubectl then reads none', async () => {
      write('one', 'kind: Config\n');
      write('two', 'kind: [\n');
      const both = user({ KUBECONFIG: `${one()}:${two()}` });
      await expect(add(both, DOCKER, kindKubeconfig('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_unusable',
      });
      expect(readFileSync(one(), 'utf8')).toBe('kind: Config\n');
    });
  });

  describe('add, if the context exists', () => {
    it('updates a context with the same certificate authority', async () => {
      write('.kube/config', kindKubeconfig('QQ==').text);
      expect(await add(user(), DOCKER, kindKubeconfig('QQ==', 40_000))).toBe('~/.kube/config kind-staging');
      expect(read().clusters).toHaveLength(1);
    });

    it('updates a context with the same server', async () => {
      write('.kube/config', kindKubeconfig('T0xE').text);
      await add(user(), DOCKER, kindKubeconfig('TkVX'));
      expect(read().clusters.map(({ cluster }) => cluster['certificate-authority-data'])).toEqual(['TkVX']);
    });

    it('rejects a context of another cluster with kubeconfig_taken', async () => {
      const path = write('.kube/config', kindKubeconfig('T1RIRVI=', 1).text);
      const before = readFileSync(path, 'utf8');
      await expect(add(user(), DOCKER, kindKubeconfig('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_taken',
        message: expect.stringContaining('kubectl config delete-context kind-staging') as unknown,
      });
      expect(readFileSync(path, 'utf8')).toBe(before);
      expect(await user().state(DOCKER, undefined)).toMatchObject({ merged: false, problem: null });
    });

    it('names no command that kubectl refuses if another context refers to the name', async () => {
      write('.kube/config', 'contexts: [{name: dev, context: {cluster: kind-staging}}]\n');
      await expect(add(user(), DOCKER, kindKubeconfig('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_taken',
        message: expect.stringMatching(/remove the contexts that refer to it\.$/) as unknown,
      });
    });

    it('names the lines of a duplicate, because kubectl refuses the file', async () => {
      const twice = `apiVersion: v1
kind: Config
clusters:
- {name: kind-staging, cluster: {server: "https://127.0.0.1:1"}}
- {name: kind-staging, cluster: {server: "https://127.0.0.1:2"}}
contexts:
- {name: kind-staging, context: {cluster: kind-staging, user: kind-staging}}
users: null
`;
      write('.kube/config', twice);
      await expect(add(user(), DOCKER, kindKubeconfig('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_taken',
        message: expect.stringMatching(
          /^Could not use \S+: clusters has the name kind-staging more than once: line 4, line 5\. kubectl cannot/,
        ) as unknown,
      });
    });

    it('updates a context that the user renamed', async () => {
      write('.kube/config', kindKubeconfig('QQ==').text.replaceAll('kind-staging', 'mine'));
      expect(await add(user(), DOCKER, kindKubeconfig('QQ==', 40_000))).toBe('~/.kube/config mine');
    });
  });

  it('distinguishes clusters of the same name in two engines', async () => {
    const mine = user();
    expect(await add(mine, DOCKER, kindKubeconfig('RA==', 1), { namesake: true })).toBe(
      '~/.kube/config kind-staging',
    );
    expect(await add(mine, PODMAN, kindKubeconfig('UA==', 2), { namesake: true })).toBe(
      '~/.kube/config kind-staging@podman',
    );
    expect(read().clusters.map(({ name, cluster }) => `${name} ${cluster['server']}`)).toEqual([
      'kind-staging https://127.0.0.1:1',
      'kind-staging@podman https://127.0.0.1:2',
    ]);
    expect(await mine.remove(DOCKER)).toMatchObject({ context: 'kind-staging' });
    expect(read().contexts.map(({ name }) => name)).toEqual(['kind-staging@podman']);
    expect(await mine.state(PODMAN, undefined)).toMatchObject({
      merged: true,
      context: 'kind-staging@podman',
    });
  });

  describe('update', () => {
    it('replaces authority and server, and keeps the current context', async () => {
      const mine = user();
      await add(mine, DOCKER, kindKubeconfig('T0xE', 1), { setCurrent: true });
      const now = kindKubeconfig('TkVX', 2).endpoint;
      expect(await mine.state(DOCKER, now)).toMatchObject({ merged: true, outdated: true });
      expect(await mine.update(DOCKER, kindKubeconfig('TkVX', 2))).toMatchObject({ context: 'kind-staging' });
      expect(await mine.state(DOCKER, now)).toMatchObject({ merged: true, outdated: false, current: true });
      expect(recorded).toEqual(['kubeconfig-added', 'kubeconfig-renewed']);
    });

    it('adds nothing if the cluster was never added or the user removed it', async () => {
      const mine = user();
      expect(await mine.update(DOCKER, kindKubeconfig('QQ=='))).toBeUndefined();
      await add(mine, DOCKER, kindKubeconfig('QQ=='));
      const path = write('.kube/config', 'kind: Config\n');
      expect(await mine.update(DOCKER, kindKubeconfig('TkVX'))).toBeUndefined();
      expect(readFileSync(path, 'utf8')).toBe('kind: Config\n');
    });
  });

  describe('recordEntry and remove', () => {
    it('remove an entry that kind created', async () => {
      write('.kube/config', kindKubeconfig('QQ==').text);
      adopted = kindKubeconfig('QQ==');
      const mine = user();
      await mine.recordEntry(DOCKER);
      expect(await mine.remove(DOCKER)).toMatchObject({ context: 'kind-staging' });
      expect(read()).toEqual({ apiVersion: 'v1', kind: 'Config', 'current-context': '' });
    });

    it('keep an entry of another cluster', async () => {
      write('.kube/config', kindKubeconfig('T1RIRVI=', 1).text);
      adopted = kindKubeconfig('QQ==');
      const mine = user();
      await mine.recordEntry(DOCKER);
      expect(await mine.remove(DOCKER)).toBeUndefined();
      expect(read().contexts).toHaveLength(1);
    });

    it('do not read the kubeconfig from a node if no entry has the name', async () => {
      write('.kube/config', kindKubeconfig('QQ==').text.replaceAll('kind-staging', 'work'));
      await expect(user().recordEntry(DOCKER)).resolves.toBeUndefined();
    });

    it('remove the entry if KUBECONFIG has changed', async () => {
      await add(user(), DOCKER, kindKubeconfig('QQ=='));
      await user({ KUBECONFIG: join(home, 'one') }).remove(DOCKER);
      expect(read().contexts).toBeUndefined();
    });
  });

  it('serializes changes', async () => {
    const mine = user();
    const names = Array.from({ length: 12 }, (_, index) => `many-${index}`);
    await Promise.all(
      names.map((name, index) =>
        add(mine, { ...DOCKER, name }, kindKubeconfig(Buffer.from(name).toString('base64'), index + 1)),
      ),
    );
    expect(read().contexts.map(({ name }) => name)).toEqual(names.map((name) => `kind-${name}`));
  });
});
