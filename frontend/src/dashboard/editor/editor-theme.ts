import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Design tokens, which follow the light and dark theme. */
const colors = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--code-key)' },
  { tag: [tags.string, tags.content, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  {
    tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace, tags.meta],
    color: 'var(--text-2)',
  },
  { tag: [tags.labelName, tags.typeName, tags.keyword], color: 'var(--text-2)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--fs-log)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', fontVariantLigatures: 'none' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '8px 0 16px' },
  '.cm-line': { padding: '0 16px 0 8px' },
  // It stays while the lines scroll sideways below it.
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text-3)',
    border: '0',
    paddingLeft: '8px',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, & ::selection': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--selected)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)', color: 'var(--on-mark)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--r-lg)',
    boxShadow: 'var(--shadow-menu)',
    overflow: 'hidden',
    fontSize: 'var(--fs-sm)',
  },
  // The description is beside the list, outside its box.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '16em',
    borderRadius: 'var(--r-lg)',
    fontFamily: 'var(--mono)',
    fontSize: 'var(--fs-log)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--fw-bold)' },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal' },
  '.cm-completionInfo': { padding: '6px 10px', maxWidth: '320px' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--failed-glyph)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--degraded-glyph)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--failed-glyph)',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--degraded-glyph)' },
  '.cm-lint-marker-error': { content: 'none', backgroundColor: 'var(--failed-glyph)', borderRadius: '50%' },
  '.cm-lint-marker-warning': { content: 'none', backgroundColor: 'var(--degraded-glyph)' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '3px 3px 0' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-changedLine': { backgroundColor: 'var(--running-tint) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--failed-tint) !important', paddingLeft: '8px' },
  '.cm-deletedChunk .cm-deletedText, .cm-deletedText': { background: 'none', textDecoration: 'none' },
  '.cm-changedText': { background: 'none' },
  '.cm-changeGutter': { width: '3px' },
  '.cm-changedLineGutter': { background: 'var(--running-glyph)' },
  '.cm-deletedLineGutter': { background: 'var(--failed-glyph)' },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--text-2)',
    padding: '3px 8px',
    cursor: 'pointer',
  },
  // The default character is missing in many fonts.
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"···"' },
});

/** The theme of editors. @param nonce allows their style sheets in the content security policy */
export function editorTheme(nonce: string | null): Extension {
  return [theme, syntaxHighlighting(colors), nonce ? EditorView.cspNonce.of(nonce) : []];
}
