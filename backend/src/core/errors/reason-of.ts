/** The message of whatever was thrown, for a sentence that explains it; never a stack trace. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') {
    return thrown.errors.map((error) => reasonOf(error)).join('; ');
  }
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return String(thrown);
}

/** A text as a sentence that another may follow: with the full stop that it may lack. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
