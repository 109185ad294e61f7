import {
  afterRenderEffect,
  Component,
  computed,
  type ElementRef,
  input,
  model,
  viewChild,
} from '@angular/core';
import { readPlain } from './ansi';
import { rawPieces } from '../format/raw-text';
import type { Hit } from './hits';
import { segmentsOf } from './segments';
import { PlainButton } from '../ui/plain-button';

/** Text shown above the first match, in pixels. */
const ABOVE_HIT = 40;

/** The full text of a line; with escapes also in raw form. */
@Component({
  selector: 'sw-whole-line',
  imports: [PlainButton],
  template: `
    <p #box class="text" tabindex="0" role="group" aria-label="Text of the line" i18n-aria-label>
      @if (raw()) {
        @for (piece of pieces(); track $index) {
          <span [class.escape]="piece.isEscape" [textContent]="piece.text"></span>
        }
      } @else {
        @for (part of segments(); track $index) {
          @if (part.isMarked) {
            <mark [class]="part.style" [textContent]="part.text"></mark>
          } @else {
            <span [class]="part.style" [textContent]="part.text"></span>
          }
        }
      }
    </p>
    @if (hasEscapes()) {
      <button class="btn small" [attr.aria-pressed]="raw()" (click)="raw.set(!raw())" i18n>
        Raw text with escapes
      </button>
    }
  `,
  styles: `
    :host {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      justify-items: start;
      gap: 6px;
    }
    .text {
      position: relative;
      justify-self: stretch;
      max-height: 40vh;
      overflow: auto;
      font: var(--fs-log) / 1.5 var(--mono);
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    span.escape {
      color: var(--accent);
    }
  `,
})
export class WholeLine {
  readonly text = input.required<string>();
  readonly raw = model(false);
  readonly hits = input<readonly Hit[]>([]);
  private readonly box = viewChild.required<ElementRef<HTMLElement>>('box');
  protected readonly segments = computed(() => segmentsOf({ runs: readPlain(this.text()) }, this.hits()));
  protected readonly pieces = computed(() => rawPieces(this.text()));
  protected readonly hasEscapes = computed(() => this.pieces().some(({ isEscape }) => isEscape));

  constructor() {
    // The first match of a long text may be far below.
    afterRenderEffect(() => {
      if (this.hits().length === 0) return;
      const box = this.box().nativeElement;
      const mark = box.querySelector('mark');
      if (mark) box.scrollTop = mark.offsetTop - ABOVE_HIT;
    });
  }
}
