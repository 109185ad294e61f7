import { inject, Service } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { JobDto } from '../../shared/api/api-types';
import { Confirm } from '../../shared/ui/confirm';
import { ifCanceled } from '../../shared/ui/job-labels';
import { Toaster } from '../../shared/ui/toaster';

@Service()
export class JobCancellation {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);

  /**
   * @param isActive whether the job is still active once the user has confirmed
   * @returns whether the job is being canceled
   */
  async cancel(job: JobDto, isActive: () => boolean): Promise<boolean> {
    const confirmed = await this.confirm.ask({
      title: $localize`Cancel “${job.title}:job:”?`,
      text: [ifCanceled(job)],
      action: $localize`Cancel job`,
      keep: $localize`Keep running`,
      danger: true,
    });
    if (!confirmed || !isActive()) return false;
    return this.toaster.attempt($localize`Could not cancel the job.`, () =>
      this.api.send('POST /api/v1/jobs/{id}/cancel', { id: job.id }),
    );
  }
}
