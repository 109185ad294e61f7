import { Component, input } from '@angular/core';
import { Icon, type IconName } from '../ui/icon';

/** A link to the other application. Narrow headers show only its icon. */
@Component({
  selector: 'sw-header-link',
  imports: [Icon],
  template: `
    <a class="btn" [href]="href()" [title]="text()">
      <sw-icon [name]="icon()" />
      <span>{{ text() }}</span>
    </a>
  `,
  styles: `
    @media (width <= 1180px) {
      a {
        width: var(--h-control);
        padding: 0;
        justify-content: center;
      }
      span {
        position: absolute;
        clip-path: inset(50%);
      }
    }
  `,
})
export class HeaderLink {
  readonly href = input.required<string>();
  readonly icon = input.required<IconName>();
  readonly text = input.required<string>();
}
