import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';

export interface SavedSearch {
  id: number;
  /** Unique, case-insensitive. */
  name: string;
  query: string;
  /** RFC 3339. */
  created_at: string;
}

/** The table of saved searches. */
@Injectable()
export class SavedSearchStore {
  constructor(private readonly database: Database) {}

  list(): SavedSearch[] {
    return this.database
      .all<SavedSearch>('SELECT id, name, query, created_at FROM saved_searches ORDER BY name, id')
      .map((row) => ({ ...row }));
  }

  get(id: number): SavedSearch | undefined {
    return this.database.get<SavedSearch>(
      'SELECT id, name, query, created_at FROM saved_searches WHERE id = ?',
      id,
    );
  }

  count(): number {
    return this.database.get<{ count: number }>('SELECT count(*) AS count FROM saved_searches')?.count ?? 0;
  }

  /** @returns its id, or undefined if the name is taken */
  insert({ name, query, created_at }: Omit<SavedSearch, 'id'>): number | undefined {
    const { changes, id } = this.database.run(
      'INSERT INTO saved_searches (name, query, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
      name,
      query,
      created_at,
    );
    return changes === 1 ? id : undefined;
  }

  /** @returns false if the name is taken */
  update(id: number, { name, query }: Pick<SavedSearch, 'name' | 'query'>): boolean {
    const { changes } = this.database.run(
      'UPDATE OR IGNORE saved_searches SET name = ?, query = ? WHERE id = ?',
      name,
      query,
      id,
    );
    return changes === 1;
  }

  remove(id: number): boolean {
    return this.database.run('DELETE FROM saved_searches WHERE id = ?', id).changes === 1;
  }
}
