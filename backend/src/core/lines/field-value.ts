/** A field of a line, and its complete value. */
export interface FieldValue {
  name: string;
  value: string;
}
