import { lstat, mkdir, readdir, readlink, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DomainError, fileFailure } from '../../core/errors/index.js';
import {
  LockedError,
  NotReadableError,
  readWholeFile,
  removeLeftTemporaries,
  withLockFile,
  writeFileAtomically,
} from '../../core/storage/index.js';
import { kubeconfigYaml } from './kubeconfig-yaml.js';
import {
  UnusableKubeconfig,
  type KubeconfigEdit,
  type KubeconfigResult,
  type KubeconfigView,
} from './user-kubeconfig-document.js';

/** Hundreds of clusters fit; what is larger is none that a person works with. */
const MAX_BYTES = 4_000_000;
/** kubectl holds its lock for milliseconds, and no request is held longer than five seconds. */
const LOCK_PATIENCE_MS = 3000;
/** Of the file as it was before each of the last writes. */
const BACKUPS = 3;
const BACKUP = '.slipway-backup-';

/** One file of the user's own kubeconfig, changed under kubectl's own lock. */
export class UserKubeconfigFile {
  /** Where client-go puts its lock: beside the name that is used, also where that is a link. */
  private readonly lock: string;

  constructor(
    readonly path: string,
    private readonly lockPatienceMs = LOCK_PATIENCE_MS,
  ) {
    this.lock = `${path}.lock`;
  }

  /** @returns undefined where there is no such file. @throws DomainError `kubeconfig_unusable` */
  async read(): Promise<KubeconfigView | undefined> {
    return await this.explained(async () => {
      const text = await readWholeFile(this.path, MAX_BYTES);
      return text === undefined ? undefined : resultOf(await kubeconfigYaml.readUserKubeconfig(text));
    });
  }

  /** The newest backup, for whoever wants to go back. */
  async latestBackup(): Promise<string | null> {
    return (await this.backups()).at(-1) ?? null;
  }

  /**
   * Changes the file, or makes it where there is none. A crash at any moment leaves it as it was or as it becomes.
   * @returns whether anything in it is another than before.
   * @throws DomainError `kubeconfig_locked`, `kubeconfig_unusable` or `kubeconfig_not_written`
   */
  async change(...edits: readonly KubeconfigEdit[]): Promise<boolean> {
    return await this.explained(async () => {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await withLockFile(this.lock, this.lockPatienceMs, () => this.rewrite(edits));
    });
  }

  private async rewrite(edits: readonly KubeconfigEdit[]): Promise<boolean> {
    const before = await readWholeFile(this.path, MAX_BYTES);
    const after = resultOf(await kubeconfigYaml.changeUserKubeconfig(before ?? '', edits));
    if (after === before) return false;
    const target = await followLinks(this.path);
    if (before === undefined) {
      await writeFileAtomically(target, after);
      return true;
    }
    const { mode, uid, gid } = await stat(target);
    const stamp = new Date().toISOString().replace(/[-:.]/g, '');
    await writeFileAtomically(`${this.path}${BACKUP}${stamp}`, before, 0o600, { uid, gid });
    await writeFileAtomically(target, after, mode & 0o777, { uid, gid });
    for (const old of (await this.backups()).slice(0, -BACKUPS)) await rm(old, { force: true });
    // Where the file is a link, its own folder had the claim to the lock, and the other the new content.
    for (const folder of new Set([dirname(this.path), dirname(target)])) await removeLeftTemporaries(folder);
    return true;
  }

  private async backups(): Promise<string[]> {
    const folder = dirname(this.path);
    const names = await readdir(folder).catch(() => []);
    return names
      .filter((name) => name.startsWith(basename(this.path) + BACKUP))
      .sort()
      .map((name) => join(folder, name));
  }

  private async explained<TResult>(work: () => Promise<TResult>): Promise<TResult> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LockedError) {
        throw new DomainError(
          'kubeconfig_locked',
          `${this.path} is locked: kubectl, kind or another program is writing it, or ended while it did. Try again in a moment. Should nothing be writing it, remove the lock: rm '${this.lock}'`,
          { lock: this.lock },
        );
      }
      if (error instanceof UnusableKubeconfig || error instanceof NotReadableError) {
        throw new DomainError(
          'kubeconfig_unusable',
          `${this.path} cannot be used: ${error.message}. It was left as it is.`,
          { file: this.path },
        );
      }
      if (error instanceof DomainError && error.code === 'invalid_input') {
        throw new DomainError(
          'kubeconfig_unusable',
          `${this.path} cannot be used. ${error.message} It was left as it is.`,
          { file: this.path },
        );
      }
      const reason = error instanceof DomainError ? undefined : fileFailure(error);
      if (reason === undefined) throw error;
      throw new DomainError(
        'kubeconfig_not_written',
        `The folder ${dirname(this.path)} cannot be written: ${reason}. ${basename(this.path)} was left as it is.`,
        { file: this.path },
        { cause: error },
      );
    }
  }
}

/** @throws UnusableKubeconfig */
function resultOf<T>(read: KubeconfigResult<T>): T {
  if ('unusable' in read) throw new UnusableKubeconfig(read.unusable);
  return read.result;
}

/** Where a path leads in the end; a link stays one, also one to a file that is yet to be made. */
async function followLinks(path: string): Promise<string> {
  const state = await lstat(path).catch(() => undefined);
  if (state?.isSymbolicLink() !== true) return path;
  return await followLinks(resolve(dirname(path), await readlink(path)));
}
