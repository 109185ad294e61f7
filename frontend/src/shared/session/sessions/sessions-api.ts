import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { EndedSessionDto, EndedSessionsDto, ListedSessionDto } from '../../api/api-types';

const SESSIONS = '/api/auth/sessions';

/** The open sessions. Every call may throw an ApiProblem. */
@Service()
export class SessionsApi {
  private readonly http = inject(HttpClient);

  async list(): Promise<ListedSessionDto[]> {
    return await firstValueFrom(this.http.get<ListedSessionDto[]>(SESSIONS));
  }

  async end(id: string): Promise<void> {
    await firstValueFrom(this.http.delete<EndedSessionDto>(`${SESSIONS}/${encodeURIComponent(id)}`));
  }

  /** @returns the number of ended sessions */
  async endOthers(): Promise<number> {
    return (await firstValueFrom(this.http.delete<EndedSessionsDto>(SESSIONS))).ended;
  }
}
