import { Component, computed, input } from '@angular/core';

const HOT_PERCENT = 85;
const FULL_PERCENT = 95;

@Component({
  selector: 'sw-usage-bar',
  template: `
    <i [style.width.%]="shown()" [class.some]="shown() > 0"></i>
    @if (peakShown(); as peak) {
      <u [style.left.%]="peak"></u>
    }
  `,
  styles: `
    :host {
      position: relative;
      display: block;
      height: 8px;
      border-radius: 2px;
      background: var(--meter-track);
      overflow: hidden;
    }
    :host(.thin) {
      height: 6px;
    }
    i {
      position: absolute;
      inset: 0 auto 0 0;
      background: var(--meter);
      transition: width var(--t-slow) var(--ease-out);
      /* The slip: the mark's own 3 : 4 angle at the moving end. */
      clip-path: polygon(0 0, 100% 0, calc(100% - 6px) 100%, 0 100%);
    }
    i.some {
      min-width: 7px;
    }
    u {
      position: absolute;
      inset-block: 0;
      width: 2px;
      margin-left: -1px;
      background: var(--meter-peak);
    }
    :host([data-level='hot']) i {
      background: var(--degraded-glyph);
    }
    :host([data-level='full']) i {
      background: var(--failed-glyph);
    }
    :host([data-level='work']) i {
      background: var(--creating-glyph);
    }
  `,
  host: {
    '[attr.role]': 'work() ? "progressbar" : "meter"',
    'aria-valuemin': '0',
    'aria-valuemax': '100',
    '[attr.aria-valuenow]': 'rounded()',
    '[attr.aria-label]': 'label()',
    '[attr.data-level]': 'level()',
  },
})
export class UsageBar {
  /** 0 to 100. */
  readonly percent = input.required<number | null>();
  readonly peak = input<number | null>(null);
  readonly label = input.required<string>();
  /** Progress instead of usage: the color does not change. */
  readonly work = input(false);

  protected readonly shown = computed(() => clamp(this.percent() ?? 0));
  protected readonly rounded = computed(() => Math.floor(this.shown()));
  protected readonly peakShown = computed(() => {
    const peak = this.peak();
    return peak === null || peak <= this.shown() ? null : Math.min(99, clamp(peak));
  });
  protected readonly level = computed(() => {
    if (this.work()) return 'work';
    if (this.shown() >= FULL_PERCENT) return 'full';
    return this.shown() >= HOT_PERCENT ? 'hot' : null;
  });
}

function clamp(percent: number): number {
  return Math.max(0, Math.min(100, percent));
}
