import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { ADOPTED_CLUSTER_NAME, RUNTIME_ID } from '../../../core/security/index.js';
import {
  DataDirectory,
  FileCache,
  readWholeFile,
  versionOf,
  writeFileAtomically,
  writeFilesAtomically,
} from '../../../core/storage/index.js';
import { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import { parseMeta, type ClusterMeta } from './cluster-meta.js';
import type { ProvisionLogDto } from './cluster.dto.js';
import { parseProvisionLog } from './provision-log.js';

/** The largest file that Slipway writes is a provision log of about 3 MB. */
const MAX_FILE_BYTES = 16_000_000;

/** Identifies a cluster: two engines can each have a cluster with the same name. */
export interface ClusterKey {
  name: string;
  runtime: string;
}

/**
 * The saved files of clusters: config, metadata, provision log and kubeconfig, in one folder per cluster. The folder
 * has the name of the cluster, or `<name>@<runtime>` if the cluster of another engine already uses that folder.
 */
@Injectable()
export class ClusterStore {
  private lastFolders: { version: string | undefined; names: readonly string[] } | undefined;
  private readonly reportedBroken = new Set<string>();
  /** Every request for clusters needs them. */
  private readonly metas = new FileCache(MAX_FILE_BYTES, validMeta);
  private readonly kubeconfigTexts = new FileCache(MAX_FILE_BYTES, (text) => text);
  /** The last parsed kubeconfig of each cluster. Parsing takes milliseconds, and every request to a cluster needs it. */
  private readonly kubeconfigs = new Map<string, { text: string; parsed: ClusterKubeconfig }>();

  constructor(
    private readonly dataDirectory: DataDirectory,
    private readonly logger: AppLogger,
  ) {}

  /** Nodes must not mount this folder. */
  get dataFolder(): string {
    return this.dataDirectory.root;
  }

  /** All saved clusters. Invalid metadata is reported once in the log and otherwise ignored. */
  async list(): Promise<ClusterMeta[]> {
    const folders = this.folders();
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
   * Changes the metadata of a saved cluster unless it is changed concurrently.
   * @param change returns the new metadata, or undefined for no change.
   * @param confirm called synchronously right before the file is replaced; false cancels the change.
   * @returns whether the metadata was changed.
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
    const outdated = new Error('changed concurrently');
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
    return await readText(this.pathOf(await this.folderOf(key), 'cluster.yaml'));
  }

  /** The config that the cluster was created from, if it was saved. Differs from the saved config after an edit. */
  async readApplied(key: ClusterKey): Promise<string | undefined> {
    return await this.readOptional(key, 'applied.yaml');
  }

  async keepApplied(key: ClusterKey): Promise<void> {
    const config = await this.readConfig(key);
    if (config !== undefined) await this.write(key, 'applied.yaml', config);
  }

  /**
   * Replaces the config of a saved cluster and its metadata atomically.
   * @param confirm called synchronously right before the files are replaced; an error cancels the change.
   * @throws Error with the code ENOENT if the cluster was deleted concurrently.
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

  async writeProvisionLog(key: ClusterKey, log: ProvisionLogDto): Promise<void> {
    await this.write(key, 'provision_log.json', `${JSON.stringify(log, null, 2)}\n`);
  }

  async readProvisionLog(key: ClusterKey): Promise<ProvisionLogDto | undefined> {
    const text = await this.readOptional(key, 'provision_log.json');
    return text === undefined ? undefined : parseProvisionLog(text);
  }

  /**
   * The saved kubeconfig, or undefined if it is missing or empty. kind copies this file from the node, so it is as
   * untrusted as the node.
   * @throws DomainError `cluster_unreachable` naming the first field that is not allowed.
   */
  async readKubeconfig(key: ClusterKey): Promise<ClusterKubeconfig | undefined> {
    const text = await this.readOptional(key, 'kubeconfig', (path) => this.kubeconfigTexts.read(path));
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
        `The kubeconfig of ${key.name} is invalid: ${reasonOf(cause)}.`,
        undefined,
        { cause },
      );
    }
  }

  async writeKubeconfig(key: ClusterKey, kubeconfig: ClusterKubeconfig): Promise<void> {
    await this.write(key, 'kubeconfig', kubeconfig.text);
  }

  /** Without this, the credentials of a deleted cluster would be used for the next one with its name. */
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

  /** @returns the names of the removed files. */
  async remove(key: ClusterKey): Promise<string[]> {
    const folder = this.dataDirectory.cluster(await this.folderOf(key));
    const files = await readdir(folder).catch(() => []);
    this.kubeconfigs.delete(ownFolder(key));
    await rm(folder, { recursive: true, force: true });
    return files.filter((file) => !file.startsWith('.')).sort();
  }

  /** Synchronous, because a short list of a local disk is there sooner than a thread that would read it. */
  private folders(): readonly string[] {
    const path = this.dataDirectory.clusters;
    const version = versionOf(path);
    if (version === undefined || version !== this.lastFolders?.version) {
      const entries = readdirSync(path, { withFileTypes: true });
      this.lastFolders = {
        version,
        names: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
      };
    }
    return this.lastFolders.names;
  }

  private async folderOf(key: ClusterKey): Promise<string> {
    const own = ownFolder(key);
    if (await this.readMeta(own)) return own;
    const named = await this.readMeta(key.name);
    return named === undefined || named.runtime === key.runtime ? key.name : own;
  }

  private async readMeta(folder: string): Promise<ClusterMeta | undefined> {
    let meta: ClusterMeta | undefined;
    try {
      meta = await this.metas.read(this.pathOf(folder, 'meta.json'));
      if (!meta) return undefined;
    } catch (error) {
      this.reportBroken(folder, 'meta.json', reasonOf(error));
      return undefined;
    }
    // Name and runtime select the folder: metadata of another cluster would lead to the files of that cluster.
    const fits = folder === meta.name || folder === ownFolder(meta);
    if (!fits || !ADOPTED_CLUSTER_NAME.test(meta.name) || !RUNTIME_ID.test(meta.runtime)) {
      this.reportBroken(folder, 'meta.json', `it belongs to ${ownFolder(meta).slice(0, 80)}`);
      return undefined;
    }
    return meta;
  }

  private reportBroken(folder: string, file: string, reason: string): void {
    const path = `clusters/${folder}/${file}`;
    if (this.reportedBroken.has(path)) return;
    this.reportedBroken.add(path);
    this.logger.warning(`ignored ${path}: ${reason}`);
  }

  /** Reads an optional file. A file that cannot be read is reported in the log and treated as missing. */
  private async readOptional(key: ClusterKey, file: string, read = readText): Promise<string | undefined> {
    const folder = await this.folderOf(key);
    try {
      return await read(this.pathOf(folder, file));
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

  private pathOf(folder: string, file: string): string {
    return join(this.dataDirectory.cluster(folder), file);
  }
}

async function readText(path: string): Promise<string | undefined> {
  return await readWholeFile(path, MAX_FILE_BYTES);
}

/** @throws Error if it is not metadata. */
function validMeta(text: string): ClusterMeta {
  const meta = parseMeta(text);
  if (!meta) throw new Error('not valid metadata');
  return meta;
}

function metaText(meta: ClusterMeta): string {
  return `${JSON.stringify(meta, null, 2)}\n`;
}

function ownFolder({ name, runtime }: ClusterKey): string {
  return `${name}@${runtime}`;
}
