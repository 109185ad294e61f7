import { constants } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { ADOPTED_CLUSTER_NAME } from '../../core/security/index.js';
import { DataDirectory, writeFileAtomically } from '../../core/storage/index.js';
import { parseMeta, type ClusterMeta } from './cluster-meta.js';
import { parseProvisionLog, type ProvisionLog } from './provision-log.js';

/** Far above the largest that the product writes, a provision log of some 3 MB. What is larger is none of its files. */
const MAX_FILE_BYTES = 16_000_000;

/** The saved files of clusters: config, meta, provision log and kubeconfig, a folder each. */
@Injectable()
export class ClusterStore {
  private readonly logger: AppLogger;
  private readonly reportedBroken = new Set<string>();

  constructor(
    private readonly dataDirectory: DataDirectory,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: ClusterStore.name });
  }

  /** All saved clusters. A broken meta is told once in the log and otherwise counts as none. */
  async list(): Promise<ClusterMeta[]> {
    const folders = await readdir(this.dataDirectory.clusters, { withFileTypes: true });
    const metas = await Promise.all(
      folders.filter((entry) => entry.isDirectory()).map((entry) => this.read(entry.name)),
    );
    return metas.filter((meta) => meta !== undefined);
  }

  async read(name: string): Promise<ClusterMeta | undefined> {
    let meta: ClusterMeta | undefined;
    try {
      const text = await this.readFile(name, 'meta.json');
      if (text === undefined) return undefined;
      meta = parseMeta(text);
    } catch (error) {
      this.reportBroken(name, 'meta.json', reasonOf(error));
      return undefined;
    }
    // The name leads to files: one that is not its folder's own would lead to another cluster's.
    if (meta?.name !== name || !ADOPTED_CLUSTER_NAME.test(name)) {
      this.reportBroken(name, 'meta.json', meta ? `it is of ${meta.name.slice(0, 60)}` : 'it is not a meta');
      return undefined;
    }
    return meta;
  }

  async writeMeta(meta: ClusterMeta): Promise<void> {
    await this.write(meta.name, 'meta.json', `${JSON.stringify(meta, null, 2)}\n`);
  }

  async writeConfig(name: string, text: string): Promise<void> {
    await this.write(name, 'cluster.yaml', text);
  }

  async readConfig(name: string): Promise<string | undefined> {
    return await this.readFile(name, 'cluster.yaml');
  }

  async writeProvisionLog(name: string, log: ProvisionLog): Promise<void> {
    await this.write(name, 'provision_log.json', `${JSON.stringify(log, null, 2)}\n`);
  }

  async readProvisionLog(name: string): Promise<ProvisionLog | undefined> {
    const text = await this.readWhereSound(name, 'provision_log.json');
    return text === undefined ? undefined : parseProvisionLog(text);
  }

  async readKubeconfig(name: string): Promise<string | undefined> {
    return await this.readWhereSound(name, 'kubeconfig');
  }

  async writeKubeconfig(name: string, text: string): Promise<void> {
    await this.write(name, 'kubeconfig', text);
  }

  configFile(name: string): string {
    return join(this.dataDirectory.cluster(name), 'cluster.yaml');
  }

  kubeconfigFile(name: string): string {
    return join(this.dataDirectory.cluster(name), 'kubeconfig');
  }

  /**
   * Removes what is saved of a cluster, unless it belongs to another engine's cluster of the same name.
   * @returns the names of the files that were there.
   */
  async removeOf(name: string, runtime: string): Promise<string[]> {
    const meta = await this.read(name);
    return meta && meta.runtime !== runtime ? [] : await this.remove(name);
  }

  /** @returns the names of the files that were there. */
  async remove(name: string): Promise<string[]> {
    const folder = this.dataDirectory.cluster(name);
    const files = await readdir(folder).catch(() => []);
    await rm(folder, { recursive: true, force: true });
    return files.filter((file) => !file.startsWith('.')).sort();
  }

  private reportBroken(name: string, file: string, reason: string): void {
    const path = `clusters/${name}/${file}`;
    if (this.reportedBroken.has(path)) return;
    this.reportedBroken.add(path);
    this.logger.warning(`${path} cannot be used and is passed over: ${reason}`);
  }

  /** A file that can be had without, or again: one that cannot be read is told in the log and counts as none. */
  private async readWhereSound(name: string, file: string): Promise<string | undefined> {
    try {
      return await this.readFile(name, file);
    } catch (error) {
      this.reportBroken(name, file, reasonOf(error));
      return undefined;
    }
  }

  private async write(name: string, file: string, content: string): Promise<void> {
    const folder = this.dataDirectory.cluster(name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(join(folder, file), content);
  }

  /** @throws Error where something stands there that is not a file of ours: to read it could take for ever, or all memory. */
  private async readFile(name: string, file: string): Promise<string | undefined> {
    try {
      // Opening a pipe to read would wait for somebody to write.
      const flags = constants.O_RDONLY | constants.O_NONBLOCK;
      const handle = await open(join(this.dataDirectory.cluster(name), file), flags);
      try {
        const state = await handle.stat();
        if (!state.isFile()) throw new Error('it is not a file');
        if (state.size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1e6} MB`);
        return await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
