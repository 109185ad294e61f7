import { Component, input } from '@angular/core';
import type { CauseDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';

/** Evidence for the cause of a failure: states, events, and the last lines of a container. */
@Component({
  selector: 'sw-evidence-list',
  imports: [UI],
  template: `
    <ul aria-label="Evidence" i18n-aria-label>
      @for (each of of(); track $index) {
        <li class="soft anywhere">
          @if (each.source === 'log') {
            <ng-container i18n>Last lines of the container</ng-container>
            <pre
              class="mono xs"
              tabindex="0"
              role="group"
              aria-label="Last lines of the container"
              i18n-aria-label
              >{{ each.text }}</pre>
          } @else {
            {{ each.text }}
            @if (each.time; as time) {
              <span class="xs nowrap">· <sw-ago [time]="time" /></span>
            }
          }
        </li>
      }
    </ul>
  `,
  styles: `
    :host {
      display: block;
    }
    ul {
      margin: 4px 0 0;
    }
    li {
      padding: 6px 0;
    }
    li + li {
      border-top: 1px solid var(--line);
    }
    pre {
      margin: 4px 0 0;
      padding: 8px;
      max-height: 12rem;
      overflow: auto;
      border-radius: var(--r);
      background: var(--canvas);
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  `,
})
export class EvidenceList {
  readonly of = input.required<CauseDto['evidence']>();
}
