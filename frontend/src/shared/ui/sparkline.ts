import { Component, computed, input } from '@angular/core';
import { SPARKLINE_HEIGHT, SPARKLINE_WIDTH, sparklineParts } from './sparkline-points';

/** A small line of a figure over time, from 0 to the highest value. Its size is fixed: the page does not move. */
@Component({
  selector: 'sw-sparkline',
  template: `
    <svg [attr.viewBox]="viewBox" role="img" [attr.aria-label]="label()">
      <title>{{ label() }}</title>
      @for (points of parts(); track $index) {
        <polyline [attr.points]="points" />
      }
    </svg>
  `,
  styles: `
    svg {
      display: block;
      width: 64px;
      height: 18px;
    }
    polyline {
      fill: none;
      stroke: var(--meter);
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `,
})
export class Sparkline {
  /** At equal intervals, the oldest first; null where the value is unknown. */
  readonly values = input.required<readonly (number | null)[]>();
  readonly label = input.required<string>();
  protected readonly viewBox = `0 0 ${SPARKLINE_WIDTH} ${SPARKLINE_HEIGHT}`;
  protected readonly parts = computed(() => sparklineParts(this.values()));
}
