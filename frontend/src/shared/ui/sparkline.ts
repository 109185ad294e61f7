import { Component, computed, input } from '@angular/core';
import { SPARKLINE_HEIGHT, SPARKLINE_WIDTH, sparklinePath } from './sparkline-points';

/** A small line of a figure over time, from 0 to the highest value. Its size is fixed: the page does not move. */
@Component({
  selector: 'sw-sparkline',
  template: `
    <svg
      preserveAspectRatio="none"
      [attr.viewBox]="viewBox"
      [class.empty]="path() === ''"
      [attr.role]="label() ? 'img' : null"
      [attr.aria-label]="label() || null"
      [attr.aria-hidden]="label() ? null : true"
    >
      @if (label(); as label) {
        <title>{{ label }}</title>
      }
      <path [attr.d]="path()" />
    </svg>
  `,
  styles: `
    svg {
      display: block;
      width: var(--sparkline-width, 64px);
      height: 18px;
      /* Shows where 0 and the begin are. */
      border-bottom: 1px solid var(--line);
    }
    .empty {
      border-color: transparent;
    }
    path {
      fill: none;
      stroke: var(--meter);
      stroke-width: 1.5;
      vector-effect: non-scaling-stroke;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `,
})
export class Sparkline {
  /** At equal intervals, the oldest first; null where the value is unknown. */
  readonly values = input.required<readonly (number | null)[]>();
  /** Empty beside its figure as text: the line is then not part of the accessible page. */
  readonly label = input('');
  protected readonly viewBox = `0 0 ${SPARKLINE_WIDTH} ${SPARKLINE_HEIGHT}`;
  protected readonly path = computed(() => sparklinePath(this.values()));
}
