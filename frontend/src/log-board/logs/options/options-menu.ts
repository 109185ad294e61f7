import {
  CdkMenu,
  CdkMenuGroup,
  CdkMenuItemCheckbox,
  CdkMenuItemRadio,
  CdkMenuTrigger,
} from '@angular/cdk/menu';
import { Component, inject, input, output, type WritableSignal } from '@angular/core';
import { Icon } from '../../../shared/ui/icon';
import { SIZES } from '../../../shared/lines/line-style';
import { TIME_MODES } from '../../../shared/lines/line-time';
import { ViewOptions } from '../../../shared/lines/view-options';
import { Rights } from '../../../shared/session/may-change';
import { MenuItem } from '../../../shared/ui/menu-item';
import { PlainButton } from '../../../shared/ui/plain-button';

export interface Download {
  format: 'text' | 'ndjson';
  gzip: boolean;
}

@Component({
  selector: 'sw-options-menu',
  imports: [
    CdkMenu,
    CdkMenuGroup,
    CdkMenuItemCheckbox,
    CdkMenuItemRadio,
    CdkMenuTrigger,
    Icon,
    MenuItem,
    PlainButton,
  ],
  template: `
    <button class="btn icon" title="Options" i18n-title [cdkMenuTriggerFor]="menu">
      <sw-icon name="dots" />
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @for (option of switches; track option.text) {
          <button
            cdkMenuItemCheckbox
            [cdkMenuItemChecked]="option.value()"
            [cdkMenuItemDisabled]="reasonAgainst(option.value) !== null && !option.value()"
            (cdkMenuItemTriggered)="option.value.set(!option.value())"
          >
            {{ option.text }}
            <span class="tail">
              @if (reasonAgainst(option.value); as reason) {
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
        <hr />
        <button i18n swMenuItem="link" (chosen)="share.emit()">Copy link to this search</button>
        @if (rights.mayChange()) {
          <button i18n swMenuItem="warning" (chosen)="alert.emit()">Create alert from this search …</button>
        }
        <button i18n swMenuItem="eye" (chosen)="highlight.emit()">Highlight rules …</button>
        @if (downloadable()) {
          <hr />
          @for (file of files; track file.text) {
            <button swMenuItem="download" (chosen)="download.emit(file.download)">{{ file.text }}</button>
          }
        }
      </div>
    </ng-template>
  `,
})
export class OptionsMenu {
  private readonly options = inject(ViewOptions);
  readonly downloadable = input(false);
  /** Why lines cannot be shown side by side; null if they can. */
  readonly merged = input<string | null>(null);
  readonly download = output<Download>();
  readonly share = output();
  readonly alert = output();
  readonly highlight = output();

  protected readonly switches: readonly { text: string; value: WritableSignal<boolean> }[] = [
    { text: $localize`Wrap long lines`, value: this.options.wrap },
    { text: $localize`Raw lines`, value: this.options.raw },
    { text: $localize`Side by side`, value: this.options.columns },
    { text: $localize`Line histogram`, value: this.options.histogram },
  ];
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
  protected readonly rights = inject(Rights);
  protected readonly files: readonly { text: string; download: Download }[] = [
    { text: $localize`Download as text`, download: { format: 'text', gzip: false } },
    { text: $localize`Download as text (gzip)`, download: { format: 'text', gzip: true } },
    { text: $localize`Download as NDJSON`, download: { format: 'ndjson', gzip: false } },
    { text: $localize`Download as NDJSON (gzip)`, download: { format: 'ndjson', gzip: true } },
  ];

  /** Why a switch would change nothing now. */
  protected reasonAgainst(value: WritableSignal<boolean>): string | null {
    return value === this.options.columns ? this.merged() : null;
  }
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
