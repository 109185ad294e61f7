import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { AccessTokenDto, CreateAccessTokenDto, CreatedAccessTokenDto } from '../../api/api-types';

const TOKENS = '/api/auth/tokens';

/** Access tokens of programs. Every call may throw an ApiProblem. */
@Service()
export class AccessTokensApi {
  private readonly http = inject(HttpClient);

  async list(): Promise<AccessTokenDto[]> {
    return await firstValueFrom(this.http.get<AccessTokenDto[]>(TOKENS));
  }

  async create(request: CreateAccessTokenDto): Promise<CreatedAccessTokenDto> {
    return await firstValueFrom(this.http.post<CreatedAccessTokenDto>(TOKENS, request));
  }

  async revoke(id: string): Promise<void> {
    await firstValueFrom(this.http.delete(`${TOKENS}/${encodeURIComponent(id)}`));
  }
}
