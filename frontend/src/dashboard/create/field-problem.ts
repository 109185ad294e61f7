import { Component, input } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import type { EntryProblem } from './create-rules';

/** The line below a field: its complaint, else its hint. */
@Component({
  selector: 'sw-field-problem',
  imports: [Icon],
  template: `
    @if (problem(); as entry) {
      <p class="hint bad" [id]="'hint-' + field()">
        <sw-icon name="warning" [size]="14" /><span>{{ text(entry) }}</span>
      </p>
    } @else if (hint()) {
      <p class="hint" [id]="'hint-' + field()">{{ hint() }}</p>
    }
  `,
})
export class FieldProblem {
  readonly field = input.required<string>();
  readonly problem = input<EntryProblem>();
  readonly hint = input('');

  /** One line for several fields: it has to say which one it means. */
  readonly named = input(false);
  /** There is room for the complaint alone. */
  readonly brief = input(false);

  protected text({ label, problem, hint }: EntryProblem): string {
    if (this.named()) return `${label} ${problem} ${hint}`.trim();
    return `${problem.charAt(0).toUpperCase()}${problem.slice(1)} ${this.brief() ? '' : hint}`.trim();
  }
}
