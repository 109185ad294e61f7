/** Replaces the values of Secrets in YAML. It is not valid base64. In an edit, it keeps the stored value. */
export const HIDDEN_VALUE = '<hidden>';
