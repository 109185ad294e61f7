import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { AlertDto, AlertFiringDto, SaveAlertDto } from '../../shared/api/api-types';

const ALERTS = '/api/alerts';

/** Alerts on live lines. Every call may throw an ApiProblem. */
@Service()
export class AlertsApi {
  private readonly http = inject(HttpClient);

  async list(): Promise<AlertDto[]> {
    return await firstValueFrom(this.http.get<AlertDto[]>(ALERTS));
  }

  async create(request: SaveAlertDto): Promise<AlertDto> {
    return await firstValueFrom(this.http.post<AlertDto>(ALERTS, request));
  }

  async update(id: number, request: SaveAlertDto): Promise<AlertDto> {
    return await firstValueFrom(this.http.put<AlertDto>(`${ALERTS}/${id}`, request));
  }

  async remove(id: number): Promise<void> {
    await firstValueFrom(this.http.delete(`${ALERTS}/${id}`));
  }

  /** Fires once, as a test. */
  async test(id: number): Promise<AlertFiringDto> {
    return await firstValueFrom(this.http.post<AlertFiringDto>(`${ALERTS}/${id}/test`, {}));
  }

  /** Newest first. */
  async firings(id: number): Promise<AlertFiringDto[]> {
    return await firstValueFrom(this.http.get<AlertFiringDto[]>(`${ALERTS}/${id}/firings`));
  }
}
