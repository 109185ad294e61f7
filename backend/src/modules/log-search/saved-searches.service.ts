import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../core/errors/index.js';
import type { SaveSearchDto } from './saved-search.dto.js';
import { SavedSearchStore, type SavedSearch } from './saved-search.store.js';

/** As many as somebody would look through. */
export const MAX_SAVED_SEARCHES = 200;

/** Searches that somebody gave a name. */
@Injectable()
export class SavedSearchesService {
  constructor(private readonly store: SavedSearchStore) {}

  /** By name. */
  list(): SavedSearch[] {
    return this.store.list();
  }

  /** @throws DomainError `invalid_input` for a name that is taken, a query that is none, or one search too many. */
  create({ name, query: given }: SaveSearchDto): SavedSearch {
    const query = plainQuery(given);
    if (this.store.count() >= MAX_SAVED_SEARCHES) {
      throw invalidInput([
        { field: 'name', problem: `is one too many: ${MAX_SAVED_SEARCHES} searches are kept at most` },
      ]);
    }
    const saved = { name, query, created_at: new Date().toISOString() };
    const id = this.store.insert(saved);
    if (id === undefined) throw taken(name);
    return { id, ...saved };
  }

  /** @throws DomainError `saved_search_not_found`, or `invalid_input` as `create`. */
  update(id: number, { name, query: given }: SaveSearchDto): SavedSearch {
    const query = plainQuery(given);
    const before = this.store.get(id);
    if (!before) throw notFound(id);
    if (!this.store.update(id, { name, query })) throw taken(name);
    return { ...before, name, query };
  }

  /** @throws DomainError `saved_search_not_found` */
  remove(id: number): void {
    if (!this.store.remove(id)) throw notFound(id);
  }
}

/** The query as an address has it. @throws DomainError `invalid_input` for what is no query. */
function plainQuery(given: string): string {
  const query = given.replace(/^\?/, '');
  if (/[\s#<>"]/.test(query)) {
    throw invalidInput([
      {
        field: 'query',
        problem: 'must be the query of an address, percent-encoded, such as q=timeout&level=error',
      },
    ]);
  }
  // Encoded control characters would come out where it is opened.
  const hidden = [...new URLSearchParams(query)].flat().some((part) => /[\p{Cc}\ufffd]/u.test(part));
  if (hidden) {
    throw invalidInput([{ field: 'query', problem: 'must have no control characters, also not encoded' }]);
  }
  return query;
}

function taken(name: string): DomainError {
  return invalidInput([
    { field: 'name', problem: `is taken: there is a saved search called ${name} already` },
  ]);
}

function notFound(id: number): DomainError {
  return new DomainError('saved_search_not_found', `There is no saved search ${id} any more.`);
}
