import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { Component, CSP_NONCE, DestroyRef, effect, ElementRef, inject, input } from '@angular/core';
import { editorTheme } from './editor-theme';

@Component({
  selector: 'sw-config-diff',
  template: '',
  styleUrl: './editor-place.scss',
})
export class ConfigDiff {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly nonce = inject(CSP_NONCE, { optional: true });

  readonly before = input.required<string>();
  readonly after = input.required<string>();
  readonly label = input.required<string>();
  /** Number of the first line, for a part of a text. */
  readonly firstLine = input(1);

  constructor() {
    let view: EditorView | undefined;
    effect(() => {
      view?.destroy();
      view = new EditorView({
        parent: this.host,
        doc: this.after(),
        extensions: [
          lineNumbers({ formatNumber: (line) => String(line + this.firstLine() - 1) }),
          yaml(),
          unifiedMergeView({
            original: this.before(),
            mergeControls: false,
            highlightChanges: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({
            'aria-label': this.label(),
            'aria-readonly': 'true',
            tabindex: '0',
          }),
          editorTheme(this.nonce),
        ],
      });
    });
    inject(DestroyRef).onDestroy(() => view?.destroy());
  }
}
