import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once } from 'rxjs';
import type {
  AccessTokenDto,
  CreateAccessTokenDto,
  CreatedAccessTokenDto,
  EndedSessionsDto,
  ExemptionDto,
  ListedSessionDto,
} from '../api/api-types';

const SESSIONS = '/api/auth/sessions';
const TOKENS = '/api/auth/tokens';

/** Open sessions, and the access tokens of programs. Each call rejects with an `ApiProblem`. */
@Service()
export class SessionsApi {
  private readonly http = inject(HttpClient);

  exemption(): Promise<ExemptionDto> {
    return once(this.http.get<ExemptionDto>('/api/auth/exemption'));
  }

  list(): Promise<ListedSessionDto[]> {
    return once(this.http.get<ListedSessionDto[]>(SESSIONS));
  }

  end(id: string): Promise<unknown> {
    return once(this.http.delete(`${SESSIONS}/${encodeURIComponent(id)}`));
  }

  endOthers(): Promise<EndedSessionsDto> {
    return once(this.http.delete<EndedSessionsDto>(SESSIONS));
  }

  tokens(): Promise<AccessTokenDto[]> {
    return once(this.http.get<AccessTokenDto[]>(TOKENS));
  }

  createToken(request: CreateAccessTokenDto): Promise<CreatedAccessTokenDto> {
    return once(this.http.post<CreatedAccessTokenDto>(TOKENS, request));
  }

  revokeToken(id: string): Promise<unknown> {
    return once(this.http.delete(`${TOKENS}/${encodeURIComponent(id)}`));
  }
}
