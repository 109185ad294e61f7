import { Component, computed, input } from '@angular/core';
import { stateStyle, type ShownState } from './state-styles';

/** A state as a shape and a color. Screen readers read its word, unless a text beside it says the same (`silent`). */
@Component({
  selector: 'sw-state',
  template: `
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      [class.spin]="style().shape === 'arc' && !still()"
      [attr.role]="spoken() ? 'img' : null"
      [attr.aria-label]="spoken()"
      [attr.aria-hidden]="spoken() ? null : 'true'"
    >
      @switch (style().shape) {
        @case ('disc') {
          <circle class="fill" cx="8" cy="8" r="5" />
        }
        @case ('ring') {
          <circle class="line" cx="8" cy="8" r="4.3" />
        }
        @case ('bars') {
          <path class="line bold" d="M5.6 4v8M10.4 4v8" />
        }
        @case ('arc') {
          <path class="line" d="M8 2.8A5.2 5.2 0 1 1 3 6.6" />
        }
        @case ('triangle') {
          <path class="fill" d="M8 1.8 15 14H1z" />
          <path class="cut-out" d="M8 6.2v3.4M8 11.9v.1" />
        }
        @case ('cross') {
          <circle class="fill" cx="8" cy="8" r="6" />
          <path class="cut-out" d="m5.9 5.9 4.2 4.2M10.1 5.9l-4.2 4.2" />
        }
        @case ('check') {
          <path class="line" d="m3.2 8.4 3.2 3.4 6.4-7.4" />
        }
        @case ('struck') {
          <circle class="line" cx="8" cy="8" r="5.4" />
          <path class="line" d="m4.4 11.6 7.2-7.2" />
        }
        @case ('clock') {
          <circle class="line" cx="8" cy="8" r="5.4" />
          <path class="line" d="M8 5v3.2l2 1.2" />
        }
        @case ('question') {
          <circle class="line" cx="8" cy="8" r="5.6" />
          <path
            class="line"
            d="M6.4 6.6c.1-1 .8-1.5 1.7-1.5 1 0 1.6.6 1.6 1.4 0 1.1-1.7 1.2-1.7 2.4M8 11.1v.1"
          />
        }
        @case ('dot') {
          <circle class="fill" cx="8" cy="8" r="2.6" />
        }
      }
    </svg>
  `,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
    }
    .fill {
      fill: currentColor;
    }
    .line {
      fill: none;
      stroke: currentColor;
      stroke-width: 1.8;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .bold {
      stroke-width: 2.6;
    }
    .cut-out {
      fill: none;
      stroke: var(--surface);
      stroke-width: 1.6;
      stroke-linecap: round;
    }
    .spin {
      animation: turn var(--t-spin) linear infinite;
    }
    @keyframes turn {
      to {
        transform: rotate(1turn);
      }
    }
  `,
  host: { '[style.color]': '"var(--" + style().color + "-glyph)"' },
})
export class State {
  readonly state = input.required<ShownState>();
  /** The state of a job or a step, where `running` means in progress. */
  readonly ofWork = input(false);
  /** Text beside it says the same. */
  readonly silent = input(false);
  /** Not animated: many animations keep the browser busy. */
  readonly still = input(false);
  protected readonly style = computed(() => stateStyle(this.state(), this.ofWork()));
  protected readonly spoken = computed(() => (this.silent() ? null : this.style().word));
}
