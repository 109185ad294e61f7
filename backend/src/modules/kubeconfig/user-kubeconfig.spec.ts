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

/** Of a cluster whose authority and port are these. */
function kindsOwn(authority: string, port = 37655): ClusterKubeconfig {
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

describe('the user’s own kubeconfig', () => {
  let home: string;
  let database: Database;
  let told: string[];
  /** What the control plane of an adopted cluster would answer. */
  let answers: ClusterKubeconfig | undefined;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
    database = Database.open(join(home, 'slipway.db'), migrations);
    told = [];
    answers = undefined;
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
          answers === undefined ? Promise.reject(new Error('unexpected call')) : Promise.resolve(answers),
      } as unknown as ClusterKubeconfigs,
      { record: ({ kind }: { kind: string }) => told.push(kind) } as unknown as JournalService,
    );
  }

  async function add(
    target: UserKubeconfig,
    key: typeof DOCKER,
    kubeconfig: ClusterKubeconfig,
    options: { setCurrent?: boolean; namesake?: boolean } = {},
  ): Promise<string> {
    const bring = (): Promise<ClusterKubeconfig> => Promise.resolve(kubeconfig);
    const { file, context } = await target.add(key, bring, {
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

  describe('is written where kubectl would', () => {
    const one = (): string => join(home, 'one');
    const two = (): string => join(home, 'two');

    it('~/.kube/config without a word of KUBECONFIG', async () => {
      expect(await add(user(), DOCKER, kindsOwn('QQ=='))).toBe('~/.kube/config kind-staging');
      expect(await add(user({ KUBECONFIG: '::' }), DOCKER, kindsOwn('QQ=='))).toBe(
        '~/.kube/config kind-staging',
      );
    });

    it('the first file of the list that exists, and the last where none does', async () => {
      const both = user({ KUBECONFIG: `${one()}::${two()}:${one()}` });
      expect(await add(both, DOCKER, kindsOwn('QQ=='))).toBe('~/two kind-staging');
      write('one', 'kind: Config\n');
      expect(await add(both, { ...DOCKER, name: 'other' }, kindsOwn('Qg==', 1))).toBe('~/one kind-other');
    });

    it('the file that has it already, and the current context in the first', async () => {
      write('one', 'kind: Config\ncurrent-context: work\n');
      write('two', kindsOwn('QQ==').text);
      const both = user({ KUBECONFIG: `${one()}:${two()}` });
      expect(await add(both, DOCKER, kindsOwn('QQ==', 40_000), { setCurrent: true })).toBe(
        '~/two kind-staging',
      );
      expect(read('two').clusters[0]?.cluster['server']).toBe('https://127.0.0.1:40000');
      expect([read('one')['current-context'], read('one').contexts]).toEqual(['kind-staging', undefined]);
      expect(await both.state(DOCKER, undefined)).toMatchObject({ file: two(), merged: true, current: true });
      await both.take(DOCKER);
      expect([read('one')['current-context'], read('two').contexts]).toEqual(['', []]);
      expect(read('two')['current-context']).toBe('');
    });

    it('nowhere, if a name in the list means another file in each terminal', async () => {
      const relative = user({ KUBECONFIG: 'config' });
      await expect(add(relative, DOCKER, kindsOwn('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_unusable',
      });
      expect((await relative.state(DOCKER, undefined)).problem).toContain('KUBECONFIG names config');
    });

    it('nowhere, if one of the list is broken: kubectl reads none of them then', async () => {
      write('one', 'kind: Config\n');
      write('two', 'kind: [\n');
      const both = user({ KUBECONFIG: `${one()}:${two()}` });
      await expect(add(both, DOCKER, kindsOwn('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_unusable',
      });
      expect(readFileSync(one(), 'utf8')).toBe('kind: Config\n');
    });
  });

  describe('has a context of that name already', () => {
    it('that is the cluster’s own, by its authority: it is renewed', async () => {
      write('.kube/config', kindsOwn('QQ==').text);
      expect(await add(user(), DOCKER, kindsOwn('QQ==', 40_000))).toBe('~/.kube/config kind-staging');
      expect(read().clusters).toHaveLength(1);
    });

    it('that is of an earlier making at the same address: it is renewed', async () => {
      write('.kube/config', kindsOwn('T0xE').text);
      await add(user(), DOCKER, kindsOwn('TkVX'));
      expect(read().clusters.map(({ cluster }) => cluster['certificate-authority-data'])).toEqual(['TkVX']);
    });

    it('that is another cluster’s: it is refused, and nothing is written', async () => {
      const path = write('.kube/config', kindsOwn('T1RIRVI=', 1).text);
      const before = readFileSync(path, 'utf8');
      await expect(add(user(), DOCKER, kindsOwn('QQ=='))).rejects.toMatchObject({
        code: 'kubeconfig_taken',
        message: expect.stringContaining('kubectl config delete-context kind-staging') as unknown,
      });
      expect(readFileSync(path, 'utf8')).toBe(before);
      expect(await user().state(DOCKER, undefined)).toMatchObject({ merged: false, problem: null });
    });

    it('that is the cluster’s own under a name that the user gave it: that is renewed', async () => {
      write('.kube/config', kindsOwn('QQ==').text.replaceAll('kind-staging', 'mine'));
      expect(await add(user(), DOCKER, kindsOwn('QQ==', 40_000))).toBe('~/.kube/config mine');
    });
  });

  it('keeps two clusters of one name in two engines apart, and takes out the one that is meant', async () => {
    const mine = user();
    expect(await add(mine, DOCKER, kindsOwn('RA==', 1), { namesake: true })).toBe(
      '~/.kube/config kind-staging',
    );
    expect(await add(mine, PODMAN, kindsOwn('UA==', 2), { namesake: true })).toBe(
      '~/.kube/config kind-staging@podman',
    );
    expect(read().clusters.map(({ name, cluster }) => `${name} ${cluster['server']}`)).toEqual([
      'kind-staging https://127.0.0.1:1',
      'kind-staging@podman https://127.0.0.1:2',
    ]);
    expect(await mine.take(DOCKER)).toMatchObject({ context: 'kind-staging' });
    expect(read().contexts.map(({ name }) => name)).toEqual(['kind-staging@podman']);
    expect(await mine.state(PODMAN, undefined)).toMatchObject({
      merged: true,
      context: 'kind-staging@podman',
    });
  });

  describe('when a cluster is made anew', () => {
    it('has its new authority and address, and the same current context', async () => {
      const mine = user();
      await add(mine, DOCKER, kindsOwn('T0xE', 1), { setCurrent: true });
      const now = kindsOwn('TkVX', 2).endpoint;
      expect(await mine.state(DOCKER, now)).toMatchObject({ merged: true, outdated: true });
      expect(await mine.renew(DOCKER, kindsOwn('TkVX', 2))).toMatchObject({ context: 'kind-staging' });
      expect(await mine.state(DOCKER, now)).toMatchObject({ merged: true, outdated: false, current: true });
      expect(told).toEqual(['kubeconfig-added', 'kubeconfig-renewed']);
    });

    it('stays without it where it never was, or was taken out by hand', async () => {
      const mine = user();
      expect(await mine.renew(DOCKER, kindsOwn('QQ=='))).toBeUndefined();
      await add(mine, DOCKER, kindsOwn('QQ=='));
      const path = write('.kube/config', 'kind: Config\n');
      expect(await mine.renew(DOCKER, kindsOwn('TkVX'))).toBeUndefined();
      expect(readFileSync(path, 'utf8')).toBe('kind: Config\n');
    });
  });

  describe('when a cluster goes', () => {
    it('loses the entry that kind itself had made for it', async () => {
      write('.kube/config', kindsOwn('QQ==').text);
      answers = kindsOwn('QQ==');
      const mine = user();
      await mine.remember(DOCKER);
      expect(await mine.take(DOCKER)).toMatchObject({ context: 'kind-staging' });
      expect(read()).toMatchObject({ contexts: [], clusters: [], 'current-context': '' });
    });

    it('keeps the entry of its name that is another cluster’s', async () => {
      write('.kube/config', kindsOwn('T1RIRVI=', 1).text);
      answers = kindsOwn('QQ==');
      const mine = user();
      await mine.remember(DOCKER);
      expect(await mine.take(DOCKER)).toBeUndefined();
      expect(read().contexts).toHaveLength(1);
    });

    it('asks no control plane where nothing has its name', async () => {
      write('.kube/config', kindsOwn('QQ==').text.replaceAll('kind-staging', 'work'));
      await expect(user().remember(DOCKER)).resolves.toBeUndefined();
    });

    it('loses it also where KUBECONFIG names another file since', async () => {
      await add(user(), DOCKER, kindsOwn('QQ=='));
      await user({ KUBECONFIG: join(home, 'one') }).take(DOCKER);
      expect(read().contexts).toEqual([]);
    });
  });

  it('takes changes one after the other', async () => {
    const mine = user();
    const names = Array.from({ length: 12 }, (_, index) => `many-${index}`);
    await Promise.all(
      names.map((name, index) =>
        add(mine, { ...DOCKER, name }, kindsOwn(Buffer.from(name).toString('base64'), index + 1)),
      ),
    );
    expect(read().contexts.map(({ name }) => name)).toEqual(names.map((name) => `kind-${name}`));
  });
});
