/**
 * Characters with which a name looks like another: those that are not visible, that reorder others, or that look like an
 * ordinary space. The parts of an emoji stay: variation selector 16 after a pictograph, and the joiner of two.
 */
export const HIDDEN =
  /\ufe0f(?<!\p{Extended_Pictographic}.)|\u200d(?<!\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?.)|\u200d(?!\p{Extended_Pictographic})|(?![ \ufe0f\u200d])[\p{C}\p{Z}\p{DI}\u2800]/gu;
