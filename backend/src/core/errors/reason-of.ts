/** The message of a thrown value, without a stack trace. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') {
    return thrown.errors.map((error) => reasonOf(error)).join('; ');
  }
  if (thrown instanceof Error) return thrown.message || thrown.name;
  try {
    return String(thrown);
  } catch {
    return 'unknown';
  }
}

/** A thrown value as an error, such as for `destroy` of a stream. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(reasonOf(thrown));
}

/** Adds a period to a text that ends without punctuation. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
