import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { SavedSearchDto, SaveSearchDto } from '../../shared/api/api-types';

const SEARCHES = '/api/saved-searches';

/** Saved searches. Every call may throw an ApiProblem. */
@Service()
export class SavedSearchesApi {
  private readonly http = inject(HttpClient);

  async list(): Promise<SavedSearchDto[]> {
    return await firstValueFrom(this.http.get<SavedSearchDto[]>(SEARCHES));
  }

  async create(request: SaveSearchDto): Promise<SavedSearchDto> {
    return await firstValueFrom(this.http.post<SavedSearchDto>(SEARCHES, request));
  }

  async update(id: number, request: SaveSearchDto): Promise<SavedSearchDto> {
    return await firstValueFrom(this.http.put<SavedSearchDto>(`${SEARCHES}/${id}`, request));
  }

  async remove(id: number): Promise<void> {
    await firstValueFrom(this.http.delete(`${SEARCHES}/${id}`));
  }
}
