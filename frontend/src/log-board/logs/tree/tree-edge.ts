import { Component, inject } from '@angular/core';
import { TREE_WIDTH, treeWidth, ViewOptions } from '../../../shared/lines/view-options';

/** Pixels per key. */
const STEP = 16;

/** The edge of the tree, which changes its width by dragging or by arrow keys. A double click resets it. */
@Component({
  selector: 'sw-tree-edge',
  template: '',
  styles: `
    :host {
      position: absolute;
      inset: 0 -4px 0 auto;
      z-index: 1;
      width: 8px;
      cursor: col-resize;
      touch-action: none;
    }
    :host:is(:hover, :focus-visible) {
      background: linear-gradient(var(--accent), var(--accent)) center / 2px 100% no-repeat;
      outline: none;
    }
    @media (width <= 960px) {
      :host {
        display: none;
      }
    }
  `,
  host: {
    role: 'separator',
    tabindex: '0',
    'aria-orientation': 'vertical',
    'aria-label': $localize`Width of the sources`,
    '[attr.aria-valuemin]': 'limits.min',
    '[attr.aria-valuemax]': 'limits.max',
    '[attr.aria-valuenow]': 'width()',
    '(pointerdown)': 'grab($event)',
    '(pointermove)': 'drag($event)',
    '(keydown)': 'press($event)',
    '(dblclick)': 'width.set(limits.usual)',
  },
})
export class TreeEdge {
  protected readonly limits = TREE_WIDTH;
  protected readonly width = inject(ViewOptions).tree;
  /** Between the pointer and the edge. */
  private offset = 0;

  protected grab(event: PointerEvent): void {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.offset = this.width() - event.clientX;
  }

  protected drag(event: PointerEvent): void {
    const isHeld = (event.currentTarget as Element).hasPointerCapture(event.pointerId);
    if (isHeld) this.width.set(treeWidth(event.clientX + this.offset));
  }

  protected press(event: KeyboardEvent): void {
    const { min, max } = TREE_WIDTH;
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: this.width() - STEP,
      ArrowRight: this.width() + STEP,
      Home: min,
      End: max,
    };
    const width = widths[event.key];
    if (width === undefined) return;
    event.preventDefault();
    this.width.set(treeWidth(width));
  }
}
