import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';
import type { SavedSearchDto } from './saved-search.dto.js';

const COLUMNS = 'id, name, query, created_at';

@Injectable()
export class SavedSearchStore {
  constructor(private readonly database: Database) {}

  list(): SavedSearchDto[] {
    const select = `SELECT ${COLUMNS} FROM saved_searches ORDER BY name, id`;
    return this.database.all<SavedSearchDto>(select);
  }

  get(id: number): SavedSearchDto | undefined {
    return this.database.get<SavedSearchDto>(`SELECT ${COLUMNS} FROM saved_searches WHERE id = ?`, id);
  }

  count(): number {
    return this.database.get<{ count: number }>('SELECT count(*) AS count FROM saved_searches')?.count ?? 0;
  }

  /** @returns its id, or undefined if the name is taken */
  insert(search: Omit<SavedSearchDto, 'id'>): number | undefined {
    const { changes, id } = this.database.insert('saved_searches', search, 'ignore');
    return changes === 1 ? id : undefined;
  }

  /** @returns false if the name is taken */
  update(id: number, { name, query }: Pick<SavedSearchDto, 'name' | 'query'>): boolean {
    const update = 'UPDATE OR IGNORE saved_searches SET name = ?, query = ? WHERE id = ?';
    return this.database.run(update, name, query, id).changes === 1;
  }

  remove(id: number): boolean {
    return this.database.run('DELETE FROM saved_searches WHERE id = ?', id).changes === 1;
  }
}
