import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';

export interface StoredRepository {
  name: string;
  url: string;
  username: string | null;
  created_at: string;
}

@Injectable()
export class ChartRepositoryStore {
  constructor(private readonly database: Database) {}

  list(): StoredRepository[] {
    return this.database.all<StoredRepository>(
      'SELECT name, url, username, created_at FROM chart_repositories ORDER BY name',
    );
  }

  get(name: string): StoredRepository | undefined {
    return this.database.get<StoredRepository>(
      'SELECT name, url, username, created_at FROM chart_repositories WHERE name = ?',
      name,
    );
  }

  /** @returns false if the name is taken. */
  insert({ name, url, username, created_at }: StoredRepository): boolean {
    const { changes } = this.database.run(
      'INSERT INTO chart_repositories (name, url, username, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
      name,
      url,
      username,
      created_at,
    );
    return changes === 1;
  }

  remove(name: string): boolean {
    return this.database.run('DELETE FROM chart_repositories WHERE name = ?', name).changes === 1;
  }
}
