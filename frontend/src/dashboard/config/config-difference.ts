import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { Component, CSP_NONCE, DestroyRef, effect, ElementRef, inject, input } from '@angular/core';
import { editorLook } from './editor-look';

/** What one text has that the other has not, to read. */
@Component({
  selector: 'sw-config-difference',
  template: '',
  styleUrl: './editor-place.scss',
})
export class ConfigDifference {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly nonce = inject(CSP_NONCE, { optional: true });

  readonly before = input.required<string>();
  readonly after = input.required<string>();
  readonly label = input.required<string>();

  constructor() {
    let view: EditorView | undefined;
    effect(() => {
      view?.destroy();
      view = new EditorView({
        parent: this.host,
        doc: this.after(),
        extensions: [
          lineNumbers(),
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
          editorLook(this.nonce),
        ],
      });
    });
    inject(DestroyRef).onDestroy(() => view?.destroy());
  }
}
