import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';

/** A place of charts that somebody added. */
export interface KeptRepository {
  name: string;
  url: string;
  username: string | null;
  created_at: string;
}

/** The table of repositories: the only SQL about them. */
@Injectable()
export class ChartRepositoryStore {
  constructor(private readonly database: Database) {}

  list(): KeptRepository[] {
    return this.database.all<KeptRepository>(
      'SELECT name, url, username, created_at FROM chart_repositories ORDER BY name',
    );
  }

  get(name: string): KeptRepository | undefined {
    return this.database.get<KeptRepository>(
      'SELECT name, url, username, created_at FROM chart_repositories WHERE name = ?',
      name,
    );
  }

  /** @returns whether there was none of that name. */
  insert({ name, url, username, created_at }: KeptRepository): boolean {
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
