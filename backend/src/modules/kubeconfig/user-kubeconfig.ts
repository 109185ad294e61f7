import { isAbsolute } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Configuration, userKubeconfigFiles } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import type { ClusterEndpoint, ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import { JournalService } from '../journal/index.js';
import { ClusterKubeconfigs, type ClusterKey } from '../clusters/index.js';
import { KeyedMutex } from '../../core/threads/index.js';
import { digestOf, KubeconfigEntryStore } from './kubeconfig-entry.store.js';
import type { KubeconfigContext, KubeconfigEdit, KubeconfigView } from './user-kubeconfig-document.js';
import { UserKubeconfigFile } from './user-kubeconfig-file.js';

/** How a cluster stands in the user's own kubeconfig. */
export interface MergeState {
  /** The file that it is in, or would be put into. */
  file: string;
  context: string;
  merged: boolean;
  /** Whether kubectl uses it where no context is named. */
  current: boolean;
  /** Whether it is there with an address or an authority that the cluster has no more. */
  outdated: boolean;
  /** The file as it was before the last write. */
  backup: string | null;
  /** Why nothing can be changed, in a sentence. */
  problem: string | null;
}

export interface EntryPlace {
  file: string;
  context: string;
}

interface View {
  file: UserKubeconfigFile;
  /** Undefined where there is no such file yet. */
  document: KubeconfigView | undefined;
}

interface Located extends EntryPlace {
  entry: KubeconfigContext;
}

/**
 * The user's own kubeconfig: `KUBECONFIG`, or `~/.kube/config`. Changed on request alone, by kubectl's own rules:
 * an entry is renewed in the file that has it, and a new one goes into the first file that exists.
 */
@Injectable()
export class UserKubeconfig {
  /** One change at a time; other programs are kept out by the lock of each file. */
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly configuration: Configuration,
    private readonly entries: KubeconfigEntryStore,
    private readonly kubeconfigs: ClusterKubeconfigs,
    private readonly journal: JournalService,
  ) {}

  /** Never fails over a file: what is wrong with one is in the answer. */
  async state(key: ClusterKey, endpoint: ClusterEndpoint | undefined): Promise<MergeState> {
    const nothing = { context: ownName(key), merged: false, current: false, outdated: false, backup: null };
    const paths = userKubeconfigFiles(this.configuration);
    try {
      const views = await this.views(key);
      const located = this.locate(views, key, endpoint);
      const file = located?.file ?? targetOf(views).path;
      const state = {
        ...nothing,
        file,
        problem: null,
        backup: await new UserKubeconfigFile(file).latestBackup(),
      };
      if (!located) return state;
      return {
        ...state,
        context: located.context,
        merged: true,
        current: currentOf(views) === located.context,
        outdated: endpoint !== undefined && !leadsTo(located.entry, endpoint),
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...nothing, file: paths[0] ?? '', problem: error.message };
    }
  }

  /**
   * Puts a cluster in, or renews what is there.
   * @param bring asked when it is its turn, so that a cluster that is deleted meanwhile is not put in after.
   * @param namesake whether another engine holds a cluster of this name, which may have its name here.
   * @throws DomainError `kubeconfig_taken`, `kubeconfig_locked`, `kubeconfig_unusable` or `kubeconfig_not_written`
   */
  async add(
    key: ClusterKey,
    bring: () => Promise<ClusterKubeconfig>,
    { setCurrent, namesake }: { setCurrent: boolean; namesake: boolean },
  ): Promise<EntryPlace> {
    return await this.turns.run('', async () => {
      const kubeconfig = await bring();
      const views = await this.views(key);
      const target = targetOf(views);
      const located = this.locate(views, key, kubeconfig.endpoint);
      const place = located ?? { file: target.path, context: freeName(key, views, namesake) };
      await this.write(key, place, kubeconfig, setCurrent && place.file === target.path);
      // kubectl reads the current context from the first file that names one.
      if (setCurrent && place.file !== target.path) {
        await target.change({ type: 'use', context: place.context });
      }
      const { file, context } = place;
      const current = setCurrent ? ', and made the current context' : '';
      this.tell(key, 'kubeconfig-added', `Put into ${file} as ${context}${current}.`);
      return { file, context };
    });
  }

  /** Takes a cluster out. @returns where it was; undefined where it was not in. @throws DomainError as `add` */
  async take(key: ClusterKey, endpoint?: ClusterEndpoint): Promise<EntryPlace | undefined> {
    return await this.turns.run('', async () => {
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
      this.tell(key, 'kubeconfig-removed', `${context} was taken out of ${file}.`);
      return { file, context };
    });
  }

  /** A cluster was made anew, and has another authority: what was put in for the one before is renewed. */
  async renew(key: ClusterKey, kubeconfig: ClusterKubeconfig): Promise<EntryPlace | undefined> {
    if (!this.entries.get(key)) return undefined;
    return await this.turns.run('', async () => {
      const located = this.locate(await this.views(key), key, undefined);
      if (!located) {
        // Somebody took it out by hand, and meant it.
        this.entries.remove(key);
        return undefined;
      }
      await this.write(key, located, kubeconfig, false);
      const { file, context } = located;
      this.tell(key, 'kubeconfig-renewed', `${context} in ${file} has its new address and credentials.`);
      return { file, context };
    });
  }

  /**
   * Notes which entry is a cluster's while the cluster can still tell: afterwards, nothing else could. An entry
   * that kind or a person put in is found by its authority, and so goes with its cluster too.
   */
  async remember(key: ClusterKey): Promise<void> {
    if (this.entries.get(key)) return;
    const views = await this.views(key);
    // Most clusters are in nobody's kubeconfig, and then no control plane has to be asked.
    if (views.every(({ document }) => document?.names.includes(ownName(key)) !== true)) return;
    const { endpoint } = await this.kubeconfigs.read(key);
    const located = this.locate(views, key, endpoint);
    if (typeof located?.entry.authority !== 'string') return;
    this.entries.put(key, { ...located, authority: digestOf(located.entry.authority) });
  }

  /** Nothing is known of a cluster's entry any more, whether it is still there or not. */
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

  private tell({ name, runtime }: ClusterKey, kind: string, message: string): void {
    this.journal.record({
      kind,
      cluster: name,
      runtime,
      subject: null,
      outcome: 'succeeded',
      message,
      job_id: null,
      duration_ms: null,
    });
  }

  /** The user's files, and the one that the cluster was put into where that is none of them any more. */
  private async views(key: ClusterKey): Promise<View[]> {
    const paths = userKubeconfigFiles(this.configuration);
    const relative = paths.find((path) => !isAbsolute(path));
    if (relative !== undefined) {
      throw new DomainError(
        'kubeconfig_unusable',
        `KUBECONFIG names ${relative}, which lies in another folder for each terminal. Name it by its whole path, and start Slipway again.`,
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
      // One address of this machine leads to one cluster: an entry of this very name is of an earlier making.
      all.find(({ context, entry }) => context === name && entry.server === endpoint.server)
    );
  }
}

/** kind's own name for it, which it writes into every kubeconfig. */
function ownName({ name }: ClusterKey): string {
  return `kind-${name}`;
}

/** As kubectl chooses where to write: the first file that exists, else the last that is named. */
function targetOf(views: readonly View[]): UserKubeconfigFile {
  const target = views.find(({ document }) => document !== undefined) ?? views.at(-1);
  if (!target) throw new Error('there is always one file at least');
  return target.file;
}

function currentOf(views: readonly View[]): string {
  return views.map(({ document }) => document?.currentContext ?? '').find((name) => name !== '') ?? '';
}

function leadsTo({ server, authority }: KubeconfigContext, endpoint: ClusterEndpoint): boolean {
  return authority === endpoint.certificateAuthority && server === endpoint.server;
}

function freeName(key: ClusterKey, views: readonly View[], namesake: boolean): string {
  const own = ownName(key);
  // No cluster's own name has an @ in it.
  const names = namesake ? [own, `${own}@${key.runtime}`] : [own];
  const holderOf = (name: string): View | undefined =>
    views.find(({ document }) => document?.names.includes(name) === true);
  const free = names.find((name) => holderOf(name) === undefined);
  if (free !== undefined) return free;
  const file = holderOf(own)?.file.path ?? '';
  throw new DomainError(
    'kubeconfig_taken',
    `${file} has a ${own} already, and it is of another cluster. If that is gone, take it out: kubectl config delete-context ${own}`,
    { file, context: own },
  );
}
