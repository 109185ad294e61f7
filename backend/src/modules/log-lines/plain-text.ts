/**
 * What a terminal would take as an order: sequences that begin with an escape, and control characters but for tabs.
 * Each alternative begins otherwise than the next and has a bounded length, so that no text takes long. A title and
 * its like without an end is left out as far as it is an order: what follows is text of the line.
 */
const ORDERS =
  /\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_](?:[^\x07\x1b]{0,4096}(?:\x07|\x1b\\))?|[ -/]{0,8}[0-~])?|[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;

/** A line's text as a file may hold it that somebody shows on a terminal. */
export function plainText(text: string): string {
  return text.replace(ORDERS, '');
}
