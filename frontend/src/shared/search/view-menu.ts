import {
  CdkMenu,
  CdkMenuGroup,
  CdkMenuItemCheckbox,
  CdkMenuItemRadio,
  CdkMenuTrigger,
} from '@angular/cdk/menu';
import { Component, inject, input, type WritableSignal } from '@angular/core';
import { SIZES } from '../lines/line-style';
import { TIME_MODES } from '../lines/line-time';
import { ViewOptions } from '../lines/view-options';
import { Icon, type IconName } from '../ui/icon';
import { IconButton } from '../ui/icon-button';
import { MenuItem } from '../ui/menu-item';
import { PlainButton } from '../ui/plain-button';

export interface ViewSwitch {
  text: string;
  value: WritableSignal<boolean>;
  /** Why it would change nothing now. */
  reason?: string | null;
}

export interface ViewAction {
  text: string;
  icon: IconName;
  run: () => void;
  /** Works without the server. */
  isLocal?: boolean;
}

/** How lines are shown: switches, times and size, and further actions on them. */
@Component({
  selector: 'sw-view-menu',
  imports: [
    CdkMenu,
    CdkMenuGroup,
    CdkMenuItemCheckbox,
    CdkMenuItemRadio,
    CdkMenuTrigger,
    Icon,
    IconButton,
    MenuItem,
    PlainButton,
  ],
  template: `
    <button
      swIconButton="dots"
      framed
      label="Options"
      i18n-label
      [large]="!small()"
      [cdkMenuTriggerFor]="menu"
    ></button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @for (option of switches(); track option.text) {
          <button
            cdkMenuItemCheckbox
            [cdkMenuItemChecked]="option.value()"
            [cdkMenuItemDisabled]="!!option.reason && !option.value()"
            (cdkMenuItemTriggered)="option.value.set(!option.value())"
          >
            {{ option.text }}
            <span class="tail">
              @if (option.reason; as reason) {
                <span class="muted xs">{{ reason }}</span>
              }
              @if (option.value()) {
                <sw-icon name="check" [size]="14" />
              }
            </span>
          </button>
        }
        @for (choice of choices; track choice.text) {
          <hr />
          <div cdkMenuGroup [attr.aria-label]="choice.text">
            <div class="group" aria-hidden="true">{{ choice.text }}</div>
            @for (entry of choice.entries; track entry.value) {
              <button
                cdkMenuItemRadio
                [cdkMenuItemChecked]="choice.value() === entry.value"
                (cdkMenuItemTriggered)="choice.set(entry.value)"
              >
                {{ entry.text }}
                <span class="tail">
                  @if (choice.value() === entry.value) {
                    <sw-icon name="check" [size]="14" />
                  }
                </span>
              </button>
            }
          </div>
        }
        @for (group of actions(); track $index) {
          <hr />
          @for (action of group; track action.text) {
            <button
              [swMenuItem]="action.icon"
              [attr.data-local]="action.isLocal ? '' : null"
              (chosen)="action.run()"
            >
              {{ action.text }}
            </button>
          }
        }
      </div>
    </ng-template>
  `,
})
export class ViewMenu {
  private readonly options = inject(ViewOptions);
  readonly switches = input.required<readonly ViewSwitch[]>();
  /** In groups, of which none is empty. */
  readonly actions = input<readonly (readonly ViewAction[])[]>([]);
  readonly small = input(false);

  protected readonly choices = [
    choice($localize`Times`, this.options.time, TIME_MODES, {
      local: $localize`Local`,
      utc: $localize`UTC`,
      relative: $localize`Relative`,
    }),
    choice($localize`Size`, this.options.size, SIZES, {
      small: $localize`Small`,
      medium: $localize`Medium`,
      large: $localize`Large`,
    }),
  ];
}

interface Choice {
  text: string;
  value: () => string;
  set: (value: string) => void;
  entries: { value: string; text: string }[];
}

function choice<T extends string>(
  text: string,
  value: WritableSignal<T>,
  values: readonly T[],
  words: Readonly<Record<T, string>>,
): Choice {
  return {
    text,
    value,
    set: (chosen) => value.set(chosen as T),
    entries: values.map((entry) => ({ value: entry, text: words[entry] })),
  };
}
