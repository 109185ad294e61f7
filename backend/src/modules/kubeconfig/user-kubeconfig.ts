import { isAbsolute } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Configuration, userKubeconfigFiles } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import type { ClusterEndpoint, ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import { JournalService } from '../journal/index.js';
import { ClusterKubeconfigs, type ClusterKey } from '../clusters/index.js';
import { KeyedMutex } from '../../core/threads/index.js';
import { digestOf, KubeconfigEntryStore } from './kubeconfig-entry.store.js';
import type { KubeconfigMergeDto } from './kubeconfig.dto.js';
import type { KubeconfigContext, KubeconfigEdit, KubeconfigView } from './user-kubeconfig-document.js';
import { UserKubeconfigFile } from './user-kubeconfig-file.js';

export interface EntryPlace {
  file: string;
  context: string;
}

interface View {
  file: UserKubeconfigFile;
  /** Undefined if the file does not exist. */
  document: KubeconfigView | undefined;
}

interface Located extends EntryPlace {
  entry: KubeconfigContext;
}

/**
 * The user's kubeconfig: `KUBECONFIG`, or `~/.kube/config`. Follows kubectl's rules: updates an entry in the file that
 * has it, and adds a new entry to the first file that exists.
 */
@Injectable()
export class UserKubeconfig {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly configuration: Configuration,
    private readonly entries: KubeconfigEntryStore,
    private readonly kubeconfigs: ClusterKubeconfigs,
    private readonly journal: JournalService,
  ) {}

  /** Reports problems of the files in the result. */
  async state(key: ClusterKey, endpoint: ClusterEndpoint | undefined): Promise<KubeconfigMergeDto> {
    const absent = { context: ownName(key), merged: false, current: false, outdated: false, backup: null };
    try {
      const views = await this.views(key);
      const located = this.locate(views, key, endpoint);
      const file = located?.file ?? targetOf(views).path;
      const backup = await new UserKubeconfigFile(file).latestBackup();
      if (!located) return { ...absent, file, backup, problem: null };
      const { context, entry } = located;
      const current = currentOf(views) === context;
      const outdated = endpoint !== undefined && !isEntryOf(entry, endpoint);
      return { file, context, merged: true, current, outdated, backup, problem: null };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const [file = ''] = userKubeconfigFiles(this.configuration);
      return { ...absent, file, problem: error.message };
    }
  }

  /**
   * Adds or updates the entry of a cluster.
   * @param read called in its turn, so that a cluster that is deleted meanwhile is not added.
   * @param namesake whether another engine has a cluster of this name.
   * @throws DomainError `kubeconfig_taken`, `kubeconfig_locked`, `kubeconfig_unusable` or `kubeconfig_not_written`
   */
  async add(
    key: ClusterKey,
    read: () => Promise<ClusterKubeconfig>,
    { setCurrent, namesake }: { setCurrent: boolean; namesake: boolean },
  ): Promise<EntryPlace> {
    return await this.mutex.run('', async () => {
      const kubeconfig = await read();
      const views = await this.views(key);
      const target = targetOf(views);
      const located = this.locate(views, key, kubeconfig.endpoint);
      const place = located ?? { file: target.path, context: freeName(key, views, namesake) };
      await this.write(key, place, kubeconfig, setCurrent && place.file === target.path);
      // kubectl uses the current context of the first file that has one.
      if (setCurrent && place.file !== target.path) {
        await target.change({ type: 'use', context: place.context });
      }
      const { file, context } = place;
      const current = setCurrent ? ' and made it the current context' : '';
      this.record(key, 'kubeconfig-added', `Added ${context} to ${file}${current}.`);
      return { file, context };
    });
  }

  /** @returns the place of the removed entry; undefined if it did not exist. @throws DomainError as `add` */
  async remove(key: ClusterKey, endpoint?: ClusterEndpoint): Promise<EntryPlace | undefined> {
    return await this.mutex.run('', async () => {
      const views = await this.views(key);
      const located = this.locate(views, key, endpoint);
      if (!located) {
        this.entries.remove(key);
        return undefined;
      }
      const { file, context } = located;
      for (const view of views) {
        if (view.file.path !== file && view.document?.currentContext !== context) continue;
        const edits: KubeconfigEdit[] = view.file.path === file ? [{ type: 'remove', context }] : [];
        await view.file.change(...edits, { type: 'leave', context });
      }
      this.entries.remove(key);
      this.record(key, 'kubeconfig-removed', `Removed ${context} from ${file}.`);
      return { file, context };
    });
  }

  /** Updates the entry that Slipway added, if any, after the cluster was recreated. */
  async update(key: ClusterKey, kubeconfig: ClusterKubeconfig): Promise<EntryPlace | undefined> {
    if (!this.entries.get(key)) return undefined;
    return await this.mutex.run('', async () => {
      const located = this.locate(await this.views(key), key, undefined);
      if (!located) {
        // The user removed the entry.
        this.entries.remove(key);
        return undefined;
      }
      await this.write(key, located, kubeconfig, false);
      const { file, context } = located;
      this.record(key, 'kubeconfig-renewed', `Updated ${context} in ${file}.`);
      return { file, context };
    });
  }

  /**
   * Records which entry belongs to a cluster, before the cluster is removed. This finds entries of kind and of the user
   * by their certificate authority, so that they are removed with the cluster.
   */
  async recordEntry(key: ClusterKey): Promise<void> {
    if (this.entries.get(key)) return;
    const views = await this.views(key);
    // Without an entry of this name, do not read the kubeconfig from the control plane.
    if (views.every(({ document }) => document?.names.includes(ownName(key)) !== true)) return;
    const { endpoint } = await this.kubeconfigs.read(key);
    const located = this.locate(views, key, endpoint);
    if (typeof located?.entry.authority !== 'string') return;
    this.entries.put(key, { ...located, authority: digestOf(located.entry.authority) });
  }

  forget(key: ClusterKey): void {
    this.entries.remove(key);
  }

  private async write(
    key: ClusterKey,
    { file, context }: EntryPlace,
    { endpoint, user }: ClusterKubeconfig,
    setCurrent: boolean,
  ): Promise<void> {
    const { server, certificateAuthority: authority } = endpoint;
    const edits: KubeconfigEdit[] = [{ type: 'put', entry: { name: context, server, authority, user } }];
    if (setCurrent) edits.push({ type: 'use', context });
    await new UserKubeconfigFile(file).change(...edits);
    this.entries.put(key, { file, context, authority: digestOf(authority) });
  }

  private record({ name, runtime }: ClusterKey, kind: string, message: string): void {
    this.journal.recordEventually({ kind, cluster: name, runtime, message });
  }

  /** The user's files, and the recorded file of the cluster if KUBECONFIG no longer contains it. */
  private async views(key: ClusterKey): Promise<View[]> {
    const paths = userKubeconfigFiles(this.configuration);
    const relative = paths.find((path) => !isAbsolute(path));
    if (relative !== undefined) {
      throw new DomainError(
        'kubeconfig_unusable',
        `KUBECONFIG contains the relative path ${relative}. Use an absolute path, and restart Slipway.`,
      );
    }
    const known = this.entries.get(key)?.file;
    const all = known === undefined || paths.includes(known) ? paths : [...paths, known];
    const views = await Promise.all(
      all.map(async (path) => {
        const file = new UserKubeconfigFile(path);
        return { file, document: await file.read() };
      }),
    );
    return views.filter(({ file, document }) => paths.includes(file.path) || document !== undefined);
  }

  private locate(
    views: readonly View[],
    key: ClusterKey,
    endpoint: ClusterEndpoint | undefined,
  ): Located | undefined {
    const all = views.flatMap(({ file, document }) =>
      (document?.contexts ?? []).map((entry): Located => ({ file: file.path, context: entry.name, entry })),
    );
    const known = this.entries.get(key);
    const recorded = all.find(
      ({ file, context, entry: { authority } }) =>
        file === known?.file &&
        context === known.context &&
        authority !== null &&
        digestOf(authority) === known.authority,
    );
    if (recorded || !endpoint) return recorded;
    const name = ownName(key);
    const same = all.filter(({ entry }) => entry.authority === endpoint.certificateAuthority);
    return (
      same.find(({ context }) => context === name) ??
      same[0] ??
      // An entry of this name with the same server is of an earlier cluster.
      all.find(({ context, entry }) => context === name && entry.server === endpoint.server)
    );
  }
}

/** The context name that kind uses. */
function ownName({ name }: ClusterKey): string {
  return `kind-${name}`;
}

/** As in kubectl: the first file that exists, or else the last in the list. */
function targetOf(views: readonly View[]): UserKubeconfigFile {
  const target = views.find(({ document }) => document !== undefined) ?? views.at(-1);
  if (!target) throw new Error('there is no kubeconfig file');
  return target.file;
}

function currentOf(views: readonly View[]): string {
  return views.map(({ document }) => document?.currentContext ?? '').find((name) => name !== '') ?? '';
}

function isEntryOf({ server, authority }: KubeconfigContext, endpoint: ClusterEndpoint): boolean {
  return authority === endpoint.certificateAuthority && server === endpoint.server;
}

function freeName(key: ClusterKey, views: readonly View[], namesake: boolean): string {
  const own = ownName(key);
  // A cluster name cannot contain an @.
  const names = namesake ? [own, `${own}@${key.runtime}`] : [own];
  const holderOf = (name: string): View | undefined =>
    views.find(({ document }) => document?.names.includes(name) === true);
  const free = names.find((name) => holderOf(name) === undefined);
  if (free !== undefined) return free;
  const { file, document } = holderOf(own) ?? {};
  const path = file?.path ?? '';
  // Another context can refer to a cluster or user of this name.
  const isContext = document?.contexts.some(({ name }) => name === own);
  const fix = isContext
    ? `the context: kubectl config delete-context ${own}`
    : 'the contexts that refer to it.';
  throw new DomainError(
    'kubeconfig_taken',
    `${own} in ${path} belongs to another cluster. If that cluster no longer exists, remove ${fix}`,
    { file: path, context: own },
  );
}
