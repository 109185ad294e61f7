import { Component, computed, input } from '@angular/core';
import { type ShownState, type StateShape, stateStyle } from './state-styles';

/** Paths in a square of 16 px. */
const SHAPES: Readonly<Record<StateShape, { fill?: string; cutOut?: string; line?: string }>> = {
  disc: { fill: circle(5) },
  ring: { line: circle(4.3) },
  bars: { line: 'M5.6 4v8M10.4 4v8' },
  arc: { line: 'M8 2.8A5.2 5.2 0 1 1 3 6.6' },
  triangle: { fill: 'M8 1.8 15 14H1z', cutOut: 'M8 6.2v3.4M8 11.9v.1' },
  cross: { fill: circle(6), cutOut: 'm5.9 5.9 4.2 4.2M10.1 5.9l-4.2 4.2' },
  check: { line: 'm3.2 8.4 3.2 3.4 6.4-7.4' },
  struck: { line: `${circle(5.4)}M4.4 11.6 11.6 4.4` },
  clock: { line: `${circle(5.4)}M8 5v3.2l2 1.2` },
  question: {
    line: `${circle(5.6)}M6.4 6.6c.1-1 .8-1.5 1.7-1.5 1 0 1.6.6 1.6 1.4 0 1.1-1.7 1.2-1.7 2.4M8 11.1v.1`,
  },
  dot: { fill: circle(2.6) },
};

function circle(radius: number): string {
  const arc = `a${radius} ${radius} 0 1 1`;
  return `M${8 - radius} 8${arc} ${2 * radius} 0${arc} ${-2 * radius} 0z`;
}

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
      @if (shape().fill; as path) {
        <path class="fill" [attr.d]="path" />
      }
      @if (shape().cutOut; as path) {
        <path class="cut-out" [attr.d]="path" />
      }
      @if (shape().line; as path) {
        <path class="line" [class.bold]="style().shape === 'bars'" [attr.d]="path" />
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
  protected readonly shape = computed(() => SHAPES[this.style().shape]);
  protected readonly spoken = computed(() => (this.silent() ? null : this.style().word));
}
