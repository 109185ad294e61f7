import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';
import type { ClusterKey } from '../clusters/index.js';

/** The context of a cluster in the user's kubeconfig. */
export interface KnownEntry {
  file: string;
  context: string;
  /** Digest of the certificate authority. It distinguishes clusters of the same name. */
  authority: string;
}

export function digestOf(authority: string): string {
  return createHash('sha256').update(authority).digest('hex');
}

@Injectable()
export class KubeconfigEntryStore {
  constructor(private readonly database: Database) {}

  get({ name, runtime }: ClusterKey): KnownEntry | undefined {
    return this.database.get<KnownEntry>(
      'SELECT file, context, authority FROM kubeconfig_entries WHERE runtime = ? AND cluster = ?',
      runtime,
      name,
    );
  }

  put({ name, runtime }: ClusterKey, { file, context, authority }: KnownEntry): void {
    const row = { runtime, cluster: name, file, context, authority };
    this.database.insert('kubeconfig_entries', row, 'replace');
  }

  remove({ name, runtime }: ClusterKey): void {
    this.database.run('DELETE FROM kubeconfig_entries WHERE runtime = ? AND cluster = ?', runtime, name);
  }
}
