import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Replaces the selection by typed text. The browser's own replacement keeps the old style with a style attribute, which
 * the content security policy blocks.
 */
export const typeOver: Extension = EditorView.domEventHandlers({
  beforeinput: ({ inputType, isComposing, cancelable, data }, view) => {
    const { state } = view;
    const isTyped = inputType === 'insertText' && !isComposing && cancelable && data !== null;
    if (!isTyped || state.readOnly || state.selection.ranges.every(({ empty }) => empty)) return false;
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});
