import { Component, computed, input } from '@angular/core';

interface Piece {
  text: string;
  kind: 'plain' | 'key' | 'string' | 'number' | 'comment';
}

@Component({
  selector: 'sw-yaml-text',
  // Not in a <pre>, which would show the indentation of this template.
  template: `
    <div class="code scroll" role="group" tabindex="0" [attr.aria-label]="label()">
      @for (line of lines(); track $index) {
        <div class="line">
          <i aria-hidden="true">{{ $index + 1 }}</i>
          @for (piece of line; track $index) {
            <span [attr.data-kind]="piece.kind">{{ piece.text }}</span>
          }
        </div>
      }
    </div>
  `,
  styles: `
    :host {
      display: block;
      min-height: 0;
    }
    .code {
      height: 100%;
      padding: 4px 18px 16px;
      font: var(--fs-log) / 1.6 var(--mono);
      font-variant-ligatures: none;
    }
    .line {
      display: flex;
      min-height: 1.6em;
      white-space: pre;
    }
    i {
      flex: none;
      width: 26px;
      font-style: normal;
      color: var(--text-3);
      user-select: none;
    }
    [data-kind='key'] {
      color: var(--code-key);
    }
    [data-kind='string'] {
      color: var(--code-string);
    }
    [data-kind='number'] {
      color: var(--code-number);
    }
    [data-kind='comment'] {
      color: var(--code-comment);
    }
  `,
  preserveWhitespaces: false,
})
export class YamlText {
  readonly text = input.required<string>();
  readonly label = input.required<string>();
  protected readonly lines = computed(() => this.text().trimEnd().split('\n').map(piecesOf));
}

function piecesOf(line: string): Piece[] {
  if (/^\s*#/.test(line)) return [{ text: line, kind: 'comment' }];
  const [, before = '', key, colon = '', value = line] = /^(\s*(?:- )*)([\w./-]+)(:)(.*)$/.exec(line) ?? [];
  const pieces: Piece[] = [];
  if (key !== undefined) {
    pieces.push({ text: before, kind: 'plain' }, { text: key, kind: 'key' }, { text: colon, kind: 'plain' });
  }
  if (value !== '') {
    pieces.push({
      text: value,
      kind: /^[\s-]*[\d.]+$/.test(value) && !/\d\.\d+\./.test(value) ? 'number' : 'string',
    });
  }
  return pieces;
}
