import { Component, computed, input } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import { Raw } from '../../shared/ui/raw';

const MAX_SHOWN = 8;

@Component({
  selector: 'sw-name-list',
  imports: [Icon, Raw],
  template: `
    <ul class="sm">
      @for (name of names().slice(0, max); track name) {
        <li class="flow anywhere mono">
          <sw-icon class="muted" name="minus" [size]="12" />{{ name | swRaw }}
        </li>
      }
      @if (rest() > 0) {
        <li i18n>and {{ rest() }} more</li>
      }
    </ul>
  `,
})
export class NameList {
  readonly names = input.required<readonly string[]>();
  protected readonly max = MAX_SHOWN;
  protected readonly rest = computed(() => this.names().length - MAX_SHOWN);
}
