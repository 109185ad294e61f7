/** Runs one task at a time per key, in order. */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<TResult>(key: string, task: () => Promise<TResult>): Promise<TResult> {
    const previous = this.tails.get(key) ?? Promise.resolve();
    const turn = previous.then(task, task);
    this.tails.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.tails.get(key) === turn) this.tails.delete(key);
    }
  }
}
