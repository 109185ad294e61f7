/** Waits for the first part, so that an error before it can still become an error response. */
export async function primed<TPart>(
  parts: AsyncGenerator<TPart, void>,
): Promise<AsyncGenerator<TPart, void>> {
  return startingWith(await parts.next(), parts);
}

async function* startingWith<TPart>(
  first: IteratorResult<TPart, void>,
  rest: AsyncGenerator<TPart, void>,
): AsyncGenerator<TPart, void> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
