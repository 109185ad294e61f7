import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { DeletedLinesDto, LogSourceDto } from '../../../shared/api/api-types';

/** What can be done with a source. Every call may throw an ApiProblem. */
@Service()
export class SourcesApi {
  private readonly http = inject(HttpClient);

  /** As it is now, with what is kept of it. */
  async one(id: number): Promise<LogSourceDto> {
    return await firstValueFrom(this.http.get<LogSourceDto>(`/api/sources/${id}`));
  }

  /** Whether its lines are taken in from now on. */
  async setTakenIn(id: number, takenIn: boolean): Promise<void> {
    await firstValueFrom(this.http.put(`/api/sources/${id}/intake`, { taken_in: takenIn }));
  }

  /** @returns what was deleted */
  async deleteHistory(id: number): Promise<DeletedLinesDto> {
    return await firstValueFrom(this.http.delete<DeletedLinesDto>(`/api/sources/${id}/history`));
  }
}
