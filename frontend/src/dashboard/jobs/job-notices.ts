import { Component, input } from '@angular/core';
import type { JobDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { objectPage } from '../resource-model/resource-address';

/** The warnings of a job, and what it installed or created and does not work. */
@Component({
  selector: 'sw-job-notices',
  imports: [UI],
  template: `
    @for (problem of job().problems; track problem.plural + problem.namespace + problem.name) {
      <sw-notice tone="warning">
        <b i18n>{{ problem.kind }} {{ problem.name | swRaw }} does not work.</b> {{ problem.message }}
        <a i18n action class="link" [swLink]="pageOf(problem)">Show why</a>
      </sw-notice>
    }
    @for (warning of job().warnings; track $index) {
      <sw-notice tone="warning">{{ warning }}</sw-notice>
    }
  `,
  host: { '[hidden]': 'job().problems.length + job().warnings.length === 0', 'aria-live': 'polite' },
})
export class JobNotices {
  readonly job = input.required<JobDto>();

  protected pageOf(problem: JobDto['problems'][number]): string {
    const { cluster: name, runtime } = this.job();
    return objectPage({ name, runtime }, problem);
  }
}
