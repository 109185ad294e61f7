/** Runs work for each item, a few at a time. Work that fails does not stop the rest, so it must not reject. */
export async function runEach<TItem>(
  items: readonly TItem[],
  parallel: number,
  work: (item: TItem) => Promise<void>,
): Promise<void> {
  const pending = [...items];
  const next = async (): Promise<void> => {
    for (let item = pending.shift(); item !== undefined; item = pending.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, next));
}
