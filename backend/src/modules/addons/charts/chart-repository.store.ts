import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';
import type { RepositoryDto } from '../common/chart.dto.js';

@Injectable()
export class ChartRepositoryStore {
  constructor(private readonly database: Database) {}

  list(): RepositoryDto[] {
    return this.database.all<RepositoryDto>(
      'SELECT name, url, username, created_at FROM chart_repositories ORDER BY name',
    );
  }

  get(name: string): RepositoryDto | undefined {
    return this.database.get<RepositoryDto>(
      'SELECT name, url, username, created_at FROM chart_repositories WHERE name = ?',
      name,
    );
  }

  /** @returns false if the name is taken. */
  insert(repository: RepositoryDto): boolean {
    return this.database.insert('chart_repositories', repository, 'ignore').changes === 1;
  }

  remove(name: string): boolean {
    return this.database.run('DELETE FROM chart_repositories WHERE name = ?', name).changes === 1;
  }
}
