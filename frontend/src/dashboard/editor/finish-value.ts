import { closeCompletion, selectedCompletion } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

/**
 * Enter behind a complete value begins the next line, although the value itself is selected in the list of completions:
 * to accept it would change nothing but take the Enter.
 */
export function finishValue(view: EditorView): boolean {
  const selected = selectedCompletion(view.state);
  if (selected?.type !== 'constant') return false;
  const { head } = view.state.selection.main;
  const { from } = view.state.doc.lineAt(head);
  if (view.state.sliceDoc(from, head).endsWith(` ${selected.label}`)) closeCompletion(view);
  return false;
}
