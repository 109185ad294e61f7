import { inject, Service } from '@angular/core';
import { Confirm } from '../../../shared/ui/confirm';
import { Dialogs } from '../../../shared/ui/dialogs';
import { Toaster } from '../../../shared/ui/toaster';
import { type BulkPlan, bulkQuestion } from './bulk-plan';
import { BulkRun } from './bulk-run';

@Service()
export class BulkActions {
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly toaster = inject(Toaster);
  private shown = false;
  readonly run = inject(BulkRun);

  /** @returns whether the action was started */
  async start(plan: BulkPlan): Promise<boolean> {
    if (this.run.running() || plan.clusters.length === 0) return false;
    const question = bulkQuestion(plan);
    if (question && !(await this.confirm.ask(question))) return false;
    void this.run.run(plan).then(() => this.notify());
    void this.show();
    return true;
  }

  async show(): Promise<void> {
    if (this.shown) return;
    this.shown = true;
    await this.dialogs.open(() => import('./bulk-dialog').then((file) => file.BulkDialog), {
      width: '620px',
    });
    this.shown = false;
  }

  private notify(): void {
    if (this.shown) return;
    const title = `${this.run.title()}.`;
    if (this.run.failed() === 0) this.toaster.done(title);
    else this.toaster.failed(title, '', { text: $localize`Details`, run: () => void this.show() });
  }
}
