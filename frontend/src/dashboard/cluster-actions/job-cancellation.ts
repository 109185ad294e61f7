import { inject, Service } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { JobDto } from '../../shared/api/api-types';
import { Confirm } from '../../shared/ui/confirm';
import { JOB_LABELS } from '../../shared/ui/job-labels';
import { Toaster } from '../../shared/ui/toaster';

/** Cancels a job, after it was asked whether that is meant. */
@Service()
export class JobCancellation {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);

  /**
   * @param stillWanted whether there is anything left to cancel once the question was answered
   * @returns whether the job winds down now
   */
  async cancel({ id, kind, cluster }: JobDto, stillWanted: () => boolean): Promise<boolean> {
    const { noun, ifCancelled } = JOB_LABELS[kind];
    const sure = await this.confirm.ask({
      title: `Cancel the ${noun} of ${cluster}?`,
      text: [ifCancelled],
      action: `Cancel the ${noun}`,
      keep: 'Let it go on',
      danger: true,
    });
    if (!sure || !stillWanted()) return false;
    try {
      await this.api.cancelJob(id);
      return true;
    } catch (error) {
      this.toaster.problem(error, 'Not cancelled.');
      return false;
    }
  }
}
