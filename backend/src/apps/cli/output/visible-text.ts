import { HIDDEN } from '../../../core/lines/hidden-characters.js';

/**
 * A text for a decision of the user: in quotation marks, with each character that is not visible as `\u{...}`.
 * A plain name or path stays as it is.
 */
export function visibleText(text: string): string {
  if (/^[\w./:@=+,%-]+$/.test(text)) return text;
  return JSON.stringify(text).replace(
    HIDDEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
