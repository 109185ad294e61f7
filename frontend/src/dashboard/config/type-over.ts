import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * What is typed takes the place of what is selected. Left to itself the browser does that in the document, and keeps
 * the look of what it replaces by a style attribute, which the page's policy refuses.
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
