import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../core/parsing/index.js';
import { SealedSecretStore } from '../../core/secrets/index.js';
import { Database } from '../../core/storage/index.js';
import type { PodScope } from '../../drivers/kubernetes/index.js';
import type { ClusterColor } from '../clusters/index.js';

interface Row {
  name: string;
  context: string;
  file: string | null;
  color: ClusterColor;
  note: string;
  namespaces_json: string;
  history_json: string;
  changes_allowed: number;
  consent: string | null;
  identity: string;
  notice: string | null;
  added_at: string;
}

/** A stored external cluster: the place of its context, and the decisions of the user. */
export interface ExternalCluster {
  name: string;
  context: string;
  /** null if the kubeconfig was pasted. It is then stored encrypted. */
  file: string | null;
  color: ClusterColor;
  note: string;
  namespaces: string[];
  /** Pods whose lines are stored. */
  history: PodScope[];
  changesAllowed: boolean;
  /** Fingerprint of the plugin that the user allowed. */
  consent: string | null;
  /** `identityOf` of the context when the user last decided. */
  identity: string;
  /** The change since then, as a sentence; null without one. */
  notice: string | null;
  addedAt: string;
}

@Injectable()
export class ExternalClusterStore {
  constructor(
    private readonly database: Database,
    private readonly secrets: SealedSecretStore,
  ) {}

  all(): ExternalCluster[] {
    return this.database.all<Row>('SELECT * FROM external_clusters ORDER BY name').map(clusterOf);
  }

  find(name: string): ExternalCluster | undefined {
    const row = this.database.get<Row>('SELECT * FROM external_clusters WHERE name = ?', name);
    return row && clusterOf(row);
  }

  /** @param kubeconfig of a context without a file */
  add(cluster: ExternalCluster, kubeconfig: string | undefined): void {
    this.database.transaction(() => {
      this.database.insert('external_clusters', rowOf(cluster));
      if (kubeconfig !== undefined) this.secrets.put(secretOf(cluster.name), kubeconfig);
    });
  }

  update(cluster: ExternalCluster): void {
    const { name, ...values } = rowOf(cluster);
    const columns = Object.keys(values);
    this.database.run(
      `UPDATE external_clusters SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE name = ?`,
      ...Object.values(values),
      name,
    );
  }

  remove(name: string): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM external_clusters WHERE name = ?', name);
      this.secrets.remove(secretOf(name));
    });
  }

  /** The pasted kubeconfig of a cluster. @throws UnsealError if it was modified outside Slipway */
  kubeconfig(name: string): string | undefined {
    return this.secrets.get(secretOf(name));
  }
}

function clusterOf(row: Row): ExternalCluster {
  return {
    name: row.name,
    context: row.context,
    file: row.file,
    color: row.color,
    note: row.note,
    namespaces: parseOwnJson<string[]>(row.namespaces_json),
    history: parseOwnJson<PodScope[]>(row.history_json),
    changesAllowed: row.changes_allowed === 1,
    consent: row.consent,
    identity: row.identity,
    notice: row.notice,
    addedAt: row.added_at,
  };
}

function rowOf(cluster: ExternalCluster): Row {
  const { namespaces, history, changesAllowed, addedAt, ...same } = cluster;
  return {
    ...same,
    namespaces_json: JSON.stringify(namespaces),
    history_json: JSON.stringify(history),
    changes_allowed: changesAllowed ? 1 : 0,
    added_at: addedAt,
  };
}

function secretOf(name: string): string {
  return `external-cluster/${name}`;
}
