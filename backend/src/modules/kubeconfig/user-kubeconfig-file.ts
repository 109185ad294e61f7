import { constants } from 'node:fs';
import { access, lstat, mkdir, readdir, readlink, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DomainError, fileFailure, hasCode } from '../../core/errors/index.js';
import {
  LockedError,
  NotReadableError,
  readWholeFile,
  removeLeftTemporaries,
  replaceUserFile,
  withLockFile,
  writeFileAtomically,
} from '../../core/storage/index.js';
import { kubeconfigYaml } from './kubeconfig-process.js';
import type { KubeconfigEdit, KubeconfigView } from './user-kubeconfig-document.js';

/** Enough for hundreds of clusters. */
const MAX_BYTES = 4_000_000;
/** kubectl holds its lock for milliseconds, and a request must end within five seconds. */
const LOCK_TIMEOUT_MS = 3000;
const BACKUPS = 3;
const BACKUP = '.slipway-backup-';

/** A file of the user's kubeconfig. Changes hold the lock of kubectl. */
export class UserKubeconfigFile {
  /** As in client-go: beside the given path, even if that is a symbolic link. */
  private readonly lock: string;

  constructor(
    readonly path: string,
    private readonly lockTimeoutMs = LOCK_TIMEOUT_MS,
  ) {
    this.lock = `${path}.lock`;
  }

  /** @returns undefined if the file does not exist. @throws DomainError `kubeconfig_taken` or `kubeconfig_unusable` */
  async read(): Promise<KubeconfigView | undefined> {
    return await this.withDomainErrors(async () => {
      const text = await readWholeFile(this.path, MAX_BYTES);
      return text === undefined ? undefined : await kubeconfigYaml.readUserKubeconfig(text);
    });
  }

  async latestBackup(): Promise<string | null> {
    return (await this.backups()).at(-1) ?? null;
  }

  /**
   * Changes the file atomically, or creates it.
   * @returns whether the file changed.
   * @throws DomainError `kubeconfig_taken`, `kubeconfig_locked`, `kubeconfig_unusable` or `kubeconfig_not_written`
   */
  async change(...edits: readonly KubeconfigEdit[]): Promise<boolean> {
    return await this.withDomainErrors(async () => {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await withLockFile(this.lock, this.lockTimeoutMs, () => this.rewrite(edits));
    });
  }

  private async rewrite(edits: readonly KubeconfigEdit[]): Promise<boolean> {
    const before = await readWholeFile(this.path, MAX_BYTES);
    const backups = await Promise.all((await this.backups()).map((path) => readWholeFile(path, MAX_BYTES)));
    const earlier = backups.filter((text) => text !== undefined).reverse();
    const after = await kubeconfigYaml.changeUserKubeconfig(before ?? '', edits, earlier);
    if (after === before) return false;
    const target = await followLinks(this.path);
    if (before === undefined) {
      await writeFileAtomically(target, after);
      return true;
    }
    const { mode, uid, gid } = await stat(target);
    await assertWritable(target, mode);
    const owner = process.getuid?.() === 0 ? { uid, gid } : undefined;
    const stamp = new Date().toISOString().replace(/[-:.]/g, '');
    // A version that is restored keeps its backup.
    if (!earlier.includes(after)) {
      await writeFileAtomically(`${this.path}${BACKUP}${stamp}`, before, 0o600, owner);
    }
    await replaceUserFile(target, after);
    for (const old of (await this.backups()).slice(0, -BACKUPS)) await rm(old, { force: true });
    // For a symbolic link, temporary files of the lock and of the content are in different folders.
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

  private async withDomainErrors<TResult>(work: () => Promise<TResult>): Promise<TResult> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LockedError) {
        throw new DomainError(
          'kubeconfig_locked',
          `${this.path} is locked by kubectl, kind or another program. Try again in a moment. If no program is writing the file, remove the lock: rm '${this.lock}'`,
          { lock: this.lock },
        );
      }
      const details = { file: this.path };
      const taken = hasCode(error, 'kubeconfig_taken') ? error.code : undefined;
      const isUnusable = hasCode(error, 'invalid_input', 'kubeconfig_taken', 'kubeconfig_unusable');
      if (isUnusable || error instanceof NotReadableError) {
        const message = `Could not use ${this.path}: ${error.message.replace(/\.$/, '')}. It was not changed.`;
        throw new DomainError(taken ?? 'kubeconfig_unusable', message, details);
      }
      const reason = error instanceof DomainError ? undefined : fileFailure(error);
      if (reason === undefined) throw error;
      const message = `Could not write to ${dirname(this.path)}: ${reason}. ${basename(this.path)} was not changed.`;
      throw new DomainError('kubeconfig_not_written', message, details, { cause: error });
    }
  }
}

/** A new file could replace one that is read-only, but the user or a program has protected it. @throws NotReadableError */
async function assertWritable(path: string, mode: number): Promise<void> {
  const mayWrite =
    (mode & 0o222) !== 0 && (await access(path, constants.W_OK).then(() => true, isReadOnlyDisk));
  if (!mayWrite) throw new NotReadableError(`it is read-only. To allow changes: chmod u+w ${path}`);
}

/** Its error has a sentence of its own. */
function isReadOnlyDisk({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EROFS';
}

/** Resolves symbolic links. Unlike `realpath`, the target need not exist. */
async function followLinks(path: string): Promise<string> {
  const state = await lstat(path).catch(() => undefined);
  if (state?.isSymbolicLink() !== true) return path;
  return await followLinks(resolve(dirname(path), await readlink(path)));
}
