import { Component, computed, input, model } from '@angular/core';
import { plainText, rawPieces } from './ansi';

/** All of a line's text; where a terminal would be ordered something by it, also as its program wrote it. */
@Component({
  selector: 'sw-whole-line',
  template: `
    <p class="text" tabindex="0" role="group" aria-label="Text of the line">
      @if (raw()) {
        @for (piece of pieces(); track $index) {
          <span [class.escape]="piece.isEscape" [textContent]="piece.text"></span>
        }
      } @else {
        <span [textContent]="plain()"></span>
      }
    </p>
    @if (hasEscapes()) {
      <button type="button" class="btn small" [attr.aria-pressed]="raw()" (click)="raw.set(!raw())">
        Raw, with its escapes
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
      justify-self: stretch;
      max-height: 40vh;
      overflow: auto;
      font: var(--fs-log) / 1.5 var(--mono);
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .escape {
      color: var(--accent);
    }
  `,
})
export class WholeLine {
  readonly text = input.required<string>();
  readonly raw = model(false);
  protected readonly plain = computed(() => plainText(this.text()));
  protected readonly pieces = computed(() => rawPieces(this.text()));
  protected readonly hasEscapes = computed(() => this.pieces().some(({ isEscape }) => isEscape));
}
