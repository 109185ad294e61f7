import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../core/parsing/index.js';
import { Database } from '../../core/storage/index.js';
import type { ForwardSpec } from './running-forward.js';
import type { ForwardPlural, ForwardProtocol } from './target/forward-kinds.js';

interface Row {
  id: string;
  runtime: string;
  cluster: string;
  plural: ForwardPlural;
  namespace: string;
  object: string;
  port: string;
  protocol: ForwardProtocol;
  local_port: number;
  origin: string | null;
  cluster_uid: string | null;
  hosts_json: string;
  created_at: string;
}

export interface StoredForward extends ForwardSpec {
  localPort: number;
}

/** Port-forwards that are opened again at start. */
@Injectable()
export class ForwardStore {
  constructor(private readonly database: Database) {}

  all(): StoredForward[] {
    return this.database.all<Row>('SELECT * FROM forwards ORDER BY created_at, id').map((row) => ({
      id: row.id,
      key: { name: row.cluster, runtime: row.runtime },
      to: { plural: row.plural, namespace: row.namespace, object: row.object, port: row.port },
      protocol: row.protocol,
      // Earlier versions had none.
      origin: row.origin ?? row.id,
      clusterUid: row.cluster_uid,
      hosts: parseOwnJson<string[]>(row.hosts_json),
      localPort: row.local_port,
      createdAt: row.created_at,
    }));
  }

  add({ id, key, to, protocol, origin, clusterUid, hosts, localPort, createdAt }: StoredForward): void {
    const row: Row = {
      id,
      runtime: key.runtime,
      cluster: key.name,
      ...to,
      protocol,
      local_port: localPort,
      origin,
      cluster_uid: clusterUid,
      hosts_json: JSON.stringify(hosts),
      created_at: createdAt,
    };
    this.database.insert('forwards', row);
  }

  update({ id, origin, clusterUid, hosts }: ForwardSpec): void {
    this.database.run(
      'UPDATE forwards SET origin = ?, cluster_uid = ?, hosts_json = ? WHERE id = ?',
      origin,
      clusterUid,
      JSON.stringify(hosts),
      id,
    );
  }

  remove(id: string): void {
    this.database.run('DELETE FROM forwards WHERE id = ?', id);
  }
}
