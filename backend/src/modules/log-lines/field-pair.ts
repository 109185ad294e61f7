/** A field and its whole value, as requests write them: `name:value`. The name ends at the first colon. */
export const FIELD_PAIR = /^[^:]{1,200}:/;
