/** Lets one piece of work at a time run for a name; the others wait for their turn. */
export class NameLocks {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<TResult>(name: string, work: () => Promise<TResult>): Promise<TResult> {
    const before = this.tails.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.tails.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.tails.get(name) === turn) this.tails.delete(name);
    }
  }
}
