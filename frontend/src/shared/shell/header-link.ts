import { Component, input } from '@angular/core';
import { served } from '../api/base-path';
import { Icon, type IconName } from '../ui/icon';

/** A link to the other application. Narrow headers show only its icon. */
@Component({
  selector: 'sw-header-link',
  imports: [Icon],
  template: `
    <a class="btn collapses" [href]="served(href())" [title]="text()">
      <sw-icon [name]="icon()" />
      <span>{{ text() }}</span>
    </a>
  `,
})
export class HeaderLink {
  protected readonly served = served;
  readonly href = input.required<string>();
  readonly icon = input.required<IconName>();
  readonly text = input.required<string>();
}
