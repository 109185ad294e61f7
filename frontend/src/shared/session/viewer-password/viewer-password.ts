import { Component, inject, input, output } from '@angular/core';
import { Api } from '../../api/api';
import { Confirm } from '../../ui/confirm';
import { Dialogs } from '../../ui/dialogs';
import { Toaster } from '../../ui/toaster';
import { UI } from '../../ui/ui';

/** Sets, changes and removes the read-only password. */
@Component({
  selector: 'sw-viewer-password',
  imports: [UI],
  template: `
    <section aria-labelledby="viewer-password-title">
      <div class="page-head">
        <div>
          <h2 id="viewer-password-title" i18n>Read-only password</h2>
          <p class="lede">
            @if (isSet()) {
              <ng-container i18n>
                Set. You can sign in with it and your user name to read, but not to change anything.
              </ng-container>
            } @else {
              <ng-container i18n>
                Not set. With one, others can sign in with your user name to read, but not to change anything.
              </ng-container>
            }
          </p>
        </div>
        <div class="acts">
          <button data-writes class="btn" (click)="change()">
            <ng-container i18n>{isSet(), select, true {Change…} other {Set…}}</ng-container>
            <span class="sr-only" i18n>&ngsp;read-only password</span>
          </button>
          @if (isSet()) {
            <button data-writes class="btn danger" (click)="remove()">
              <ng-container i18n>Remove…</ng-container>
              <span class="sr-only" i18n>&ngsp;read-only password</span>
            </button>
          }
        </div>
      </div>
    </section>
  `,
  styles: ':host { display: block }',
})
export class ViewerPassword {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly toaster = inject(Toaster);
  readonly isSet = input.required<boolean>();
  readonly changed = output();

  protected async change(): Promise<void> {
    const done = await this.dialogs.open<boolean>(
      () => import('./viewer-password-dialog').then((file) => file.ViewerPasswordDialog),
      { width: '480px' },
    );
    if (done !== true) return;
    this.toaster.done($localize`Read-only password set.`);
    this.changed.emit();
  }

  protected async remove(): Promise<void> {
    const sure = await this.confirm.ask({
      title: $localize`Remove the read-only password?`,
      text: [$localize`Its sessions end immediately.`],
      action: $localize`Remove`,
      danger: true,
    });
    if (!sure) return;
    await this.toaster.attempt($localize`Could not remove the read-only password.`, async () => {
      await this.api.send('PUT /api/auth/viewer-password', {}, { password: null });
      this.toaster.done($localize`Read-only password removed.`);
    });
    this.changed.emit();
  }
}
