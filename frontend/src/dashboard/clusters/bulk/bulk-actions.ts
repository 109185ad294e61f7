import { Dialog } from '@angular/cdk/dialog';
import { DOCUMENT, inject, Service } from '@angular/core';
import { loadPart } from '../../../shared/loading/load-part';
import { Confirm } from '../../../shared/ui/confirm';
import { catchLostFocus } from '../../../shared/ui/lost-focus';
import { Toaster } from '../../../shared/ui/toaster';
import { type BulkPlan, questionBeforeBulk } from './bulk-plan';
import { BulkRun } from './bulk-run';

/** Asks once for all, begins, and shows how far each is, until a person sends that away. */
@Service()
export class BulkActions {
  private readonly confirm = inject(Confirm);
  private readonly dialog = inject(Dialog);
  private readonly toaster = inject(Toaster);
  private readonly document = inject(DOCUMENT);
  private shown = false;
  readonly run = inject(BulkRun);

  /** @returns whether it was begun */
  async begin(plan: BulkPlan): Promise<boolean> {
    if (this.run.running() || plan.clusters.length === 0) return false;
    const question = questionBeforeBulk(plan);
    if (question && !(await this.confirm.ask(question))) return false;
    void this.run.run(plan).then(() => this.tell());
    await this.show();
    return true;
  }

  async show(): Promise<void> {
    const { BulkDialog } = await loadPart(() => import('./bulk-dialog'));
    if (this.shown) return;
    const dialog = this.dialog.open(BulkDialog, {
      ariaLabelledBy: 'bulk-title',
      autoFocus: '[data-first]',
      width: '620px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    this.shown = true;
    dialog.closed.subscribe(() => {
      this.shown = false;
      catchLostFocus(this.document);
    });
  }

  /** In the background, the outcome comes as a message; a failure stays until it was looked at. */
  private tell(): void {
    if (this.shown) return;
    const title = `${this.run.title()}.`;
    if (this.run.failed() === 0) this.toaster.done(title);
    else this.toaster.failed(title, '', { text: 'Show which', run: () => void this.show() });
  }
}
