import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject } from '@angular/core';
import { plural } from '../../shared/format/format';
import { State } from '../../shared/ui/state';
import type { EntryProblem } from './create-rules';

export interface ProblemsData {
  problems: EntryProblem[];
  /** Whether the server said so, after it was asked. */
  sent: boolean;
}

/** Everything that stands in the way, all at once. Answers with the field to go to. */
@Component({
  selector: 'sw-problems-dialog',
  imports: [State],
  template: `
    <div class="alert-dialog">
      <h2 id="problems-title">
        <sw-state state="failed" [word]="false" [silent]="true" />The cluster cannot be made like this
      </h2>
      <div id="problems-text">
        <p>{{ lead() }}</p>
        <ul>
          @for (entry of data.problems; track $index) {
            <li>
              <button type="button" class="link" (click)="go(entry)">{{ entry.label }}</button>
              <div>
                @if (entry.value) {
                  <code>{{ entry.value }}</code>
                }
                {{ entry.value ? entry.problem : upper(entry.problem) }}
                @if (entry.hint) {
                  <small>{{ entry.hint }}</small>
                }
              </div>
            </li>
          }
        </ul>
      </div>
      <div class="acts">
        <button type="button" class="btn primary" data-first (click)="go(data.problems[0])">
          {{ data.problems[0]?.field ? 'Go to the first entry' : 'Back to the form' }}
        </button>
      </div>
    </div>
  `,
  styles: `
    h2 sw-state {
      margin-top: 4px;
    }
    p {
      color: var(--text-2);
      margin: 4px 0 12px 26px;
      font-size: var(--fs-sm);
    }
    li {
      display: grid;
      grid-template-columns: 112px minmax(0, 1fr);
      gap: 0 12px;
      padding: 10px 0;
      margin-left: 26px;
      border-top: 1px solid var(--line);
      font-size: var(--fs-sm);
      overflow-wrap: anywhere;
    }
    .link {
      text-align: left;
      align-self: start;
    }
    code {
      background: var(--sunken);
      padding: 1px 5px;
      border-radius: 3px;
    }
    small {
      display: block;
      font-size: var(--fs-sm);
      color: var(--text-3);
      margin-top: 1px;
    }
    @media (width <= 720px) {
      li {
        grid-template-columns: minmax(0, 1fr);
        margin-left: 0;
      }
      p {
        margin-left: 0;
      }
    }
  `,
})
export class ProblemsDialog {
  protected readonly data = inject<ProblemsData>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<EntryProblem>>(DialogRef);
  protected readonly lead = computed(() => {
    const count = plural(this.data.problems.length, 'entry needs', 'entries need');
    return this.data.sent
      ? `${count} a change. Nothing was made.`
      : `${count} a change. Nothing has been sent.`;
  });

  protected go(entry: EntryProblem | undefined): void {
    this.dialog.close(entry);
  }

  protected upper(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
}
