import { booleanAttribute, Component, input } from '@angular/core';
import { rawText } from '../format/raw-text';
import { Icon, type IconName } from './icon';

/** A button that shows only an icon. Its label is the accessible name and, without a `title`, the tooltip. */
@Component({
  selector: 'button[swIconButton]',
  imports: [Icon],
  template: `<sw-icon [name]="swIconButton()" [size]="size()" />`,
  host: {
    type: 'button',
    class: 'btn icon',
    '[class.quiet]': '!framed()',
    '[class.small]': '!large()',
    '[attr.aria-label]': 'label()',
    '[attr.title]': '(title() ?? label()) || null',
  },
})
export class IconButton {
  readonly swIconButton = input.required<IconName>();
  readonly label = input.required({ transform: rawText });
  readonly title = input<string>();
  readonly framed = input(false, { transform: booleanAttribute });
  readonly large = input(false, { transform: booleanAttribute });
  /** Of the icon, in pixels. */
  readonly size = input(16);
}
