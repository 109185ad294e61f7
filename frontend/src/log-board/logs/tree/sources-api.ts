import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { DeletedLinesDto, LogSourceDto } from '../../../shared/api/api-types';

/** Reads and changes sources. Every call may throw an ApiProblem. */
@Service()
export class SourcesApi {
  private readonly http = inject(HttpClient);

  /** With the current size of its history. */
  async one(id: number): Promise<LogSourceDto> {
    return await firstValueFrom(this.http.get<LogSourceDto>(`/api/sources/${id}`));
  }

  /** Starts or stops collecting its lines. */
  async setCollected(id: number, collected: boolean): Promise<void> {
    await firstValueFrom(this.http.put(`/api/sources/${id}/intake`, { taken_in: collected }));
  }

  /** @returns the number of deleted lines */
  async deleteHistory(id: number): Promise<DeletedLinesDto> {
    return await firstValueFrom(this.http.delete<DeletedLinesDto>(`/api/sources/${id}/history`));
  }
}
