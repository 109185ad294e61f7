import { CdkMenuItem } from '@angular/cdk/menu';
import { Component, input } from '@angular/core';
import { Icon, type IconName } from './icon';

/** An item of a menu with its icon. */
@Component({
  selector: 'button[swMenuItem]',
  imports: [Icon],
  template: `<sw-icon [name]="swMenuItem()" /><ng-content />`,
  hostDirectives: [{ directive: CdkMenuItem, outputs: ['cdkMenuItemTriggered: chosen'] }],
})
export class MenuItem {
  readonly swMenuItem = input.required<IconName>();
}
