import { readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { ADOPTED_CLUSTER_NAME, RUNTIME_ID } from '../../../core/security/index.js';
import {
  DataDirectory,
  readWholeFile,
  writeFileAtomically,
  writeFilesAtomically,
} from '../../../core/storage/index.js';
import { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import { parseMeta, type ClusterMeta } from './cluster-meta.js';
import { parseProvisionLog, type ProvisionLog } from './provision-log.js';

/** Far above the largest that the product writes, a provision log of some 3 MB. What is larger is none of its files. */
const MAX_FILE_BYTES = 16_000_000;

/** What tells one cluster from another: two engines may hold one name. Records, metas and job inputs have both. */
export interface ClusterKey {
  name: string;
  runtime: string;
}

/**
 * The saved files of clusters: config, meta, provision log and kubeconfig, a folder each. A folder has its
 * cluster's name; where another engine's cluster has that already, it is `<name>@<runtime>`.
 */
@Injectable()
export class ClusterStore {
  private readonly reportedBroken = new Set<string>();
  /** The last parsed kubeconfig of each cluster: parsing takes milliseconds, and every request to a cluster needs it. */
  private readonly kubeconfigs = new Map<string, { text: string; parsed: ClusterKubeconfig }>();

  constructor(
    private readonly dataDirectory: DataDirectory,
    private readonly logger: AppLogger,
  ) {}

  /** The data folder, which no node may mount. */
  get dataFolder(): string {
    return this.dataDirectory.root;
  }

  /** All saved clusters. A broken meta is told once in the log and otherwise counts as none. */
  async list(): Promise<ClusterMeta[]> {
    const entries = await readdir(this.dataDirectory.clusters, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const metas = await Promise.all(
      folders.map(async (folder) => {
        const meta = await this.readMeta(folder);
        const superseded = meta !== undefined && folder === meta.name && folders.includes(ownFolder(meta));
        return superseded ? undefined : meta;
      }),
    );
    return metas.filter((meta) => meta !== undefined);
  }

  async read(key: ClusterKey): Promise<ClusterMeta | undefined> {
    const meta = await this.readMeta(await this.folderOf(key));
    return meta?.runtime === key.runtime ? meta : undefined;
  }

  async writeMeta(meta: ClusterMeta): Promise<void> {
    await this.write(meta, 'meta.json', metaText(meta));
  }

  /**
   * Changes the meta of a saved cluster, unless somebody else changes it meanwhile, who knows better.
   * @param change what it becomes; undefined leaves it as it is.
   * @param confirm the last word, in one turn with the change.
   * @returns whether it was changed.
   */
  async changeMeta(
    key: ClusterKey,
    change: (meta: ClusterMeta) => ClusterMeta | undefined,
    confirm: () => boolean,
  ): Promise<boolean> {
    const before = await this.read(key);
    const after = before && change(before);
    if (!after) return false;
    const folder = this.dataDirectory.cluster(await this.folderOf(key));
    const path = join(folder, 'meta.json');
    const outdated = new Error('it was changed meanwhile');
    try {
      await writeFilesAtomically(folder, [{ path, content: metaText(after) }], {
        confirm: () => {
          const now = parseMeta(readFileSync(path, 'utf8'));
          if (!now || metaText(now) !== metaText(before) || !confirm()) throw outdated;
        },
      });
      return true;
    } catch (error) {
      if (error === outdated || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  async writeConfig(key: ClusterKey, text: string): Promise<void> {
    await this.write(key, 'cluster.yaml', text);
  }

  async readConfig(key: ClusterKey): Promise<string | undefined> {
    return await this.readFile(await this.folderOf(key), 'cluster.yaml');
  }

  /** What the cluster was made from, where it was kept. It differs from the config once that was edited. */
  async readApplied(key: ClusterKey): Promise<string | undefined> {
    return await this.readWhereSound(key, 'applied.yaml');
  }

  /** Keeps the saved config as the one that the cluster was made from. */
  async keepApplied(key: ClusterKey): Promise<void> {
    const config = await this.readConfig(key);
    if (config !== undefined) await this.write(key, 'applied.yaml', config);
  }

  /**
   * Replaces the config of a saved cluster together with the meta that follows from it: both or neither.
   * @param confirm the last word, in one turn with the change; what it throws stops it.
   * @throws Error with the code ENOENT where the cluster was deleted meanwhile.
   */
  async replaceConfig(
    meta: ClusterMeta,
    files: { config: string; applied: string | undefined },
    confirm: () => void,
  ): Promise<void> {
    const folder = this.dataDirectory.cluster(await this.folderOf(meta));
    const changes = [
      ...(files.applied === undefined
        ? []
        : [{ path: join(folder, 'applied.yaml'), content: files.applied }]),
      { path: join(folder, 'cluster.yaml'), content: files.config },
      { path: join(folder, 'meta.json'), content: metaText(meta) },
    ];
    await writeFilesAtomically(folder, changes, {
      confirm: () => {
        statSync(folder);
        confirm();
      },
    });
  }

  async writeProvisionLog(key: ClusterKey, log: ProvisionLog): Promise<void> {
    await this.write(key, 'provision_log.json', `${JSON.stringify(log, null, 2)}\n`);
  }

  async readProvisionLog(key: ClusterKey): Promise<ProvisionLog | undefined> {
    const text = await this.readWhereSound(key, 'provision_log.json');
    return text === undefined ? undefined : parseProvisionLog(text);
  }

  /**
   * The saved kubeconfig; undefined where there is none, or only an empty one. kind writes what it finds in the node
   * into this file, so it is parsed as strictly as if it came from there.
   * @throws DomainError `cluster_unreachable` that names the field where it holds what is not allowed.
   */
  async readKubeconfig(key: ClusterKey): Promise<ClusterKubeconfig | undefined> {
    const text = await this.readWhereSound(key, 'kubeconfig');
    if (text === undefined || text.trim() === '') return undefined;
    const id = ownFolder(key);
    const known = this.kubeconfigs.get(id);
    if (known?.text === text) return known.parsed;
    try {
      const parsed = ClusterKubeconfig.parse(text);
      this.kubeconfigs.set(id, { text, parsed });
      return parsed;
    } catch (cause) {
      throw new DomainError(
        'cluster_unreachable',
        `The kubeconfig of ${key.name} cannot be used: ${reasonOf(cause)}.`,
        undefined,
        { cause },
      );
    }
  }

  async writeKubeconfig(key: ClusterKey, kubeconfig: ClusterKubeconfig): Promise<void> {
    await this.write(key, 'kubeconfig', kubeconfig.text);
  }

  /** Credentials of a cluster that is gone open nothing, and would be taken for those of the next one. */
  async removeKubeconfig(key: ClusterKey): Promise<void> {
    this.kubeconfigs.delete(ownFolder(key));
    await rm(await this.kubeconfigFile(key), { force: true });
  }

  async configFile(key: ClusterKey): Promise<string> {
    return join(this.dataDirectory.cluster(await this.folderOf(key)), 'cluster.yaml');
  }

  async kubeconfigFile(key: ClusterKey): Promise<string> {
    return join(this.dataDirectory.cluster(await this.folderOf(key)), 'kubeconfig');
  }

  /** @returns the names of the files that were there. */
  async remove(key: ClusterKey): Promise<string[]> {
    const folder = this.dataDirectory.cluster(await this.folderOf(key));
    const files = await readdir(folder).catch(() => []);
    this.kubeconfigs.delete(ownFolder(key));
    await rm(folder, { recursive: true, force: true });
    return files.filter((file) => !file.startsWith('.')).sort();
  }

  /** Found anew each time: clusters come and go, and their folders with them. */
  private async folderOf(key: ClusterKey): Promise<string> {
    const own = ownFolder(key);
    if (await this.readMeta(own)) return own;
    const named = await this.readMeta(key.name);
    return named === undefined || named.runtime === key.runtime ? key.name : own;
  }

  private async readMeta(folder: string): Promise<ClusterMeta | undefined> {
    let meta: ClusterMeta | undefined;
    try {
      const text = await this.readFile(folder, 'meta.json');
      if (text === undefined) return undefined;
      meta = parseMeta(text);
    } catch (error) {
      this.reportBroken(folder, 'meta.json', reasonOf(error));
      return undefined;
    }
    // Name and runtime lead to files: what is not its folder's own would lead to another cluster's.
    const fits = meta !== undefined && (folder === meta.name || folder === ownFolder(meta));
    if (!meta || !fits || !ADOPTED_CLUSTER_NAME.test(meta.name) || !RUNTIME_ID.test(meta.runtime)) {
      this.reportBroken(
        folder,
        'meta.json',
        meta ? `it is of ${ownFolder(meta).slice(0, 80)}` : 'it is not a meta',
      );
      return undefined;
    }
    return meta;
  }

  private reportBroken(folder: string, file: string, reason: string): void {
    const path = `clusters/${folder}/${file}`;
    if (this.reportedBroken.has(path)) return;
    this.reportedBroken.add(path);
    this.logger.warning(`${path} cannot be used and is passed over: ${reason}`);
  }

  /** A file that can be had without, or again: one that cannot be read is told in the log and counts as none. */
  private async readWhereSound(key: ClusterKey, file: string): Promise<string | undefined> {
    const folder = await this.folderOf(key);
    try {
      return await this.readFile(folder, file);
    } catch (error) {
      this.reportBroken(folder, file, reasonOf(error));
      return undefined;
    }
  }

  private async write(key: ClusterKey, file: string, content: string): Promise<void> {
    const folder = this.dataDirectory.cluster(await this.folderOf(key));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(join(folder, file), content);
  }

  private async readFile(folder: string, file: string): Promise<string | undefined> {
    return await readWholeFile(join(this.dataDirectory.cluster(folder), file), MAX_FILE_BYTES);
  }
}

function metaText(meta: ClusterMeta): string {
  return `${JSON.stringify(meta, null, 2)}\n`;
}

function ownFolder({ name, runtime }: ClusterKey): string {
  return `${name}@${runtime}`;
}
