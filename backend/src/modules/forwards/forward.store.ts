import { Injectable } from '@nestjs/common';
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
    return this.database
      .all<Row>('SELECT * FROM forwards ORDER BY created_at, id')
      .map(({ id, runtime, cluster, plural, namespace, object, port, protocol, local_port, created_at }) => ({
        id,
        key: { name: cluster, runtime },
        to: { plural, namespace, object, port },
        protocol,
        localPort: local_port,
        createdAt: created_at,
      }));
  }

  add({ id, key, to, protocol, localPort, createdAt }: StoredForward): void {
    const row: Row = {
      id,
      runtime: key.runtime,
      cluster: key.name,
      ...to,
      protocol,
      local_port: localPort,
      created_at: createdAt,
    };
    this.database.insert('forwards', row);
  }

  remove(id: string): void {
    this.database.run('DELETE FROM forwards WHERE id = ?', id);
  }
}
