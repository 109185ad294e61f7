import { Component, input } from '@angular/core';
import { rawText } from '../format/raw-text';

/** Shown instead of rows: heading, projected sentence, and actions in elements with the attribute `action`. */
@Component({
  selector: 'sw-placeholder',
  template: `
    <h2>{{ heading() }}</h2>
    <div class="text"><ng-content /></div>
    <div class="action"><ng-content select="[action]" /></div>
  `,
  styles: `
    :host {
      display: block;
      padding: var(--s-10) var(--s-6);
      text-align: center;
    }
    .text {
      color: var(--text-2);
      margin: 4px auto 0;
      max-width: 56ch;
      overflow-wrap: anywhere;
    }
    .action {
      display: flex;
      justify-content: center;
      flex-wrap: wrap;
      gap: var(--s-2);
      margin-top: var(--s-4);
    }
    .action:empty {
      display: none;
    }
  `,
})
export class Placeholder {
  readonly heading = input.required({ transform: rawText });
}
