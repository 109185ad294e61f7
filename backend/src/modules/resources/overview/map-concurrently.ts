/** Does something for each of many, so many at once; the results are in the order of what was given. */
export async function mapConcurrently<TItem, TResult>(
  items: readonly TItem[],
  atOnce: number,
  work: (item: TItem) => Promise<TResult>,
): Promise<TResult[]> {
  const results = new Array<TResult>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as TItem);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
