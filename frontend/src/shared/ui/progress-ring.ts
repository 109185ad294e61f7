import { Component, computed, input } from '@angular/core';

const RADIUS = 80;
const LENGTH = 2 * Math.PI * RADIUS;

/** Progress as a ring; the thin orbit shows that work is running. */
@Component({
  selector: 'sw-progress-ring',
  template: `
    <svg viewBox="0 0 188 188" aria-hidden="true">
      <circle class="track" cx="94" cy="94" r="80" />
      @if (percent() > 0) {
        <circle class="done" cx="94" cy="94" r="80" [style.stroke-dasharray]="dash()" />
      }
      @if (alive()) {
        <circle class="orbit" cx="94" cy="94" r="91" stroke-dasharray="126 600" />
      }
    </svg>
    <div><ng-content /></div>
  `,
  styles: `
    :host {
      position: relative;
      display: block;
      width: 188px;
      height: 188px;
    }
    svg {
      width: 100%;
      height: 100%;
      transform: rotate(-90deg);
    }
    circle {
      fill: none;
      stroke-width: 8;
    }
    .track {
      stroke: var(--meter-track);
    }
    .done {
      stroke: var(--ring, var(--accent));
      transition: stroke-dasharray var(--t-slow) var(--ease-out);
    }
    .orbit {
      stroke: var(--accent);
      stroke-width: 2;
      transform-origin: 50% 50%;
      animation: turn 1600ms linear infinite;
    }
    div {
      position: absolute;
      inset: 0;
      display: grid;
      place-content: center;
      justify-items: center;
    }
    @media (prefers-reduced-motion: reduce) {
      .orbit {
        animation: none;
      }
    }
  `,
  host: {
    role: 'progressbar',
    'aria-valuemin': '0',
    'aria-valuemax': '100',
    '[attr.aria-valuenow]': 'rounded()',
    '[attr.aria-label]': 'label()',
  },
})
export class ProgressRing {
  /** 0 to 100. */
  readonly percent = input.required<number>();
  readonly label = input.required<string>();
  readonly alive = input(true);
  protected readonly rounded = computed(() => Math.floor(this.percent()));
  protected readonly dash = computed(() => {
    const share = Math.max(0, Math.min(100, this.percent())) / 100;
    return `${(LENGTH * share).toFixed(1)} ${LENGTH.toFixed(1)}`;
  });
}
