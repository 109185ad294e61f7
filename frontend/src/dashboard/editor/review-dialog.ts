import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { UI } from '../../shared/ui/ui';
import { ConfigDiff } from './config-diff';

export interface Review {
  title: string;
  /** The effect, as a sentence. */
  text: string;
  /** The verb on the button. */
  action: string;
  /** The cluster that it changes. */
  key?: ClusterKey;
  /** Of the dry run. */
  result: { before: string; after: string; warnings: readonly string[] };
}

/** Shows what a change does before it is done. Closes with true to do it. */
@Component({
  selector: 'sw-review-dialog',
  imports: [ConfigDiff, UI],
  template: `
    <form swDialog novalidate (submit)="confirm($event)">
      <h2 id="dialog-title" class="fill anywhere">{{ review.title | swRaw }}</h2>
      <p class="soft">{{ review.text }}</p>
      <sw-config-diff
        label="Changes"
        i18n-label
        [before]="review.result.before"
        [after]="review.result.after"
      />
      @for (warning of review.result.warnings; track warning) {
        <sw-notice tone="warning">{{ warning }}</sw-notice>
      }
      <span foot i18n class="fill soft sm">Result of a server-side dry run</span>
      <button action [swSubmit]="false">{{ review.action }}</button>
    </form>
  `,
})
export class ReviewDialog {
  protected readonly review = inject<Review>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<true>>(DialogRef);

  protected confirm(event: Event): void {
    event.preventDefault();
    this.dialog.close(true);
  }
}
