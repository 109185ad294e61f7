import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { State } from '../../shared/ui/state';
import { PlainButton } from '../../shared/ui/plain-button';

export interface ListedProblem {
  label: string;
  value: string;
  message: string;
}

/** Lists all problems of a form. The result is the index of the chosen one. */
@Component({
  selector: 'sw-problems-dialog',
  imports: [State, PlainButton],
  template: `
    <div class="alert-dialog">
      <h2 id="question-title">
        <sw-state state="failed" [silent]="true" />
        <ng-container i18n>Could not create the cluster</ng-container>
      </h2>
      <div id="question-text">
        <p class="soft sm" i18n>No resources were created. Fix these problems and try again.</p>
        <ul class="item-list">
          @for (entry of problems; track $index) {
            <li class="sm anywhere">
              <button class="link" (click)="dialog.close($index)">{{ entry.label }}</button>
              <span>
                @if (entry.value) {
                  <code>{{ entry.value }}</code>
                }
                {{ entry.message }}
              </span>
            </li>
          }
        </ul>
      </div>
      <div class="acts">
        <button i18n class="btn primary" data-first (click)="dialog.close(0)">Fix first problem</button>
      </div>
    </div>
  `,
  styles: `
    h2 sw-state {
      margin-top: 4px;
    }
    p {
      margin: 4px 0 8px;
    }
    li {
      display: grid;
      grid-template-columns: 132px minmax(0, 1fr);
      gap: 0 12px;
      padding: 10px 0;
    }
    .link {
      place-self: start;
      text-align: left;
    }
    code {
      margin-right: 4px;
    }
    @media (width <= 720px) {
      li {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `,
})
export class ProblemsDialog {
  protected readonly problems = inject<readonly ListedProblem[]>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<number>>(DialogRef);
}
