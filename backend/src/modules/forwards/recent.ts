/** A value that is loaded when needed, at most once at a time, and kept for a moment. Failures are not kept. */
export class Recent<T> {
  private loading: Promise<T> | undefined;
  private readUntil = 0;

  constructor(
    private readonly load: () => Promise<T>,
    private readonly keepMs: number,
  ) {}

  get(): Promise<T> {
    if (this.loading && performance.now() < this.readUntil) return this.loading;
    this.readUntil = Infinity;
    const loading = this.load().then(
      (value) => {
        if (this.loading === loading) this.readUntil = performance.now() + this.keepMs;
        return value;
      },
      (error: unknown) => {
        this.drop(loading);
        throw error;
      },
    );
    this.loading = loading;
    return loading;
  }

  /** @param stale the value to load again; another one may be newer */
  drop(stale: Promise<T>): void {
    if (this.loading === stale) this.loading = undefined;
  }
}
