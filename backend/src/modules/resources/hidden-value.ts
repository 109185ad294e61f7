/**
 * Stands in YAML for the value of a Secret. No base64 is written so; sent back in an edit, it keeps the value that
 * is stored.
 */
export const HIDDEN_VALUE = '<hidden>';
