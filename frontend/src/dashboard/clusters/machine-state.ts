import { inject, Service } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { DiagnosticsDto } from '../../shared/api/api-types';
import { LiveValue } from '../../shared/live/live-value';

/** The diagnostics of the host, polled while a page shows them. */
@Service()
export class MachineState {
  private readonly api = inject(Api);
  readonly live = new LiveValue<DiagnosticsDto>({
    topics: [],
    pollEveryMs: 15_000,
    load: (signal) => this.api.get('/api/v1/diagnostics', {}, signal),
    apply: (value) => value,
  });
}
