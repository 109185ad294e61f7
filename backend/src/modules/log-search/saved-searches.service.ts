import { Injectable } from '@nestjs/common';
import { DomainError, invalidField } from '../../core/errors/index.js';
import type { SavedSearchDto, SaveSearchDto } from './saved-search.dto.js';
import { SavedSearchStore } from './saved-search.store.js';

/** Limits the list to a readable length. */
export const MAX_SAVED_SEARCHES = 200;

@Injectable()
export class SavedSearchesService {
  constructor(private readonly store: SavedSearchStore) {}

  list(): SavedSearchDto[] {
    return this.store.list();
  }

  /** @throws DomainError `invalid_input` for a taken name, an invalid query, or too many searches */
  create({ name, query: given }: SaveSearchDto): SavedSearchDto {
    const query = plainQuery(given);
    if (this.store.count() >= MAX_SAVED_SEARCHES) {
      throw invalidField('name', `exceeds the limit of ${MAX_SAVED_SEARCHES} saved searches`);
    }
    const saved = { name, query, created_at: new Date().toISOString() };
    const id = this.store.insert(saved);
    if (id === undefined) throw taken(name);
    return { id, ...saved };
  }

  /** @throws DomainError `saved_search_not_found`, or `invalid_input` as `create`. */
  update(id: number, { name, query: given }: SaveSearchDto): SavedSearchDto {
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

/** Validates a query string. @throws DomainError `invalid_input` */
function plainQuery(given: string): string {
  const query = given.replace(/^\?/, '');
  if (/[\s#<>"]/.test(query)) {
    throw invalidField('query', 'must be a percent-encoded query string, such as q=timeout&level=error');
  }
  // Encoded control characters would be decoded when the search is opened.
  const hidden = [...new URLSearchParams(query)].flat().some((part) => /[\p{Cc}\ufffd]/u.test(part));
  if (hidden) {
    throw invalidField('query', 'must have no control characters, not even encoded ones');
  }
  return query;
}

function taken(name: string): DomainError {
  return invalidField('name', `is taken: a saved search named ${name} already exists`);
}

function notFound(id: number): DomainError {
  return new DomainError('saved_search_not_found', `Saved search ${id} does not exist.`);
}
