import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import type { UndoneRolloutDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { ConfigDiff } from '../editor/config-diff';

export interface RollbackQuestion {
  name: string;
  /** Result of the dry run. */
  review: UndoneRolloutDto;
}

/** Shows what a rollback changes before it is done. Closes with true to do it. */
@Component({
  selector: 'sw-rollback-dialog',
  imports: [ConfigDiff, UI],
  template: `
    <form swDialog novalidate (submit)="confirm($event)">
      <h2 i18n id="dialog-title" class="fill anywhere">
        Roll back {{ question.name }} to revision {{ question.review.revision }}?
      </h2>
      <p i18n class="soft">A rollout replaces the Pods.</p>
      <sw-config-diff
        label="Changes"
        i18n-label
        [before]="question.review.before"
        [after]="question.review.after"
      />
      @for (warning of question.review.warnings; track warning) {
        <sw-notice tone="warning">{{ warning }}</sw-notice>
      }
      <span foot i18n class="fill soft sm">Result of a server-side dry run</span>
      <button action i18n [swSubmit]="false">Roll back</button>
    </form>
  `,
  styles: `
    sw-config-diff {
      max-height: 320px;
      overflow: auto;
    }
  `,
})
export class RollbackDialog {
  protected readonly question = inject<RollbackQuestion>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<true>>(DialogRef);

  protected confirm(event: Event): void {
    event.preventDefault();
    this.dialog.close(true);
  }
}
