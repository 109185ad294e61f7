import { inject, Service } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { DiagnosticsDto } from '../../shared/api/api-types';
import { LiveValue } from '../../shared/live/live-value';

/** What diagnostics say of this machine; asked for anew when the pages that show it do. */
@Service()
export class MachineState {
  private readonly api = inject(Api);
  readonly live = new LiveValue<DiagnosticsDto>({
    topics: [],
    pollEveryMs: 15_000,
    load: () => this.api.diagnostics(),
    apply: (value) => value,
  });
}
