import { Component, DestroyRef, inject, input, signal } from '@angular/core';
import { rawText } from '../format/raw-text';

/** A short wait shows only empty space of the same height, to avoid a flash and a layout shift. */
const WAIT_MS = 150;

@Component({
  selector: 'sw-skeleton-rows',
  template: `
    <span class="sr-only" role="status">{{ label() }}</span>
    @for (row of [72, 58, 81, 49, 66].slice(0, count()); track row) {
      <div aria-hidden="true" [class.hidden]="!shown()" [style.height.px]="height()">
        <i class="dot"></i><i [style.width.%]="row / 3"></i><i [style.width.%]="row / 2"></i>
      </div>
    }
  `,
  styles: `
    div {
      display: flex;
      align-items: center;
      gap: var(--s-5);
      padding: 0 16px;
      border-top: 1px solid var(--line);
    }
    div:first-of-type {
      border-top: 0;
    }
    .hidden {
      visibility: hidden;
    }
    i {
      height: 10px;
      border-radius: 3px;
      background: var(--meter-track);
    }
    .dot {
      width: 14px;
      height: 14px;
      border-radius: 50%;
      flex: none;
    }
  `,
  host: { class: 'block', 'aria-busy': 'true' },
})
export class SkeletonRows {
  readonly label = input($localize`Loading`, { transform: rawText });
  /** At most five. */
  readonly count = input(5);
  /** Of one row, in pixels. */
  readonly height = input(60);
  protected readonly shown = signal(false);

  constructor() {
    const timer = setTimeout(() => this.shown.set(true), WAIT_MS);
    inject(DestroyRef).onDestroy(() => clearTimeout(timer));
  }
}
