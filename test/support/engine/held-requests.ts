/** Requests that a server does not respond to yet. */
export class HeldRequests {
  private readonly held = new Map<string, { arrived: boolean; release: Promise<void>; free: () => void }>();

  /** Requests whose line ends like this get no response and have no effect until `release`. */
  hold(ending: string): void {
    let free = (): void => undefined;
    const release = new Promise<void>((resolve) => {
      free = resolve;
    });
    this.held.set(ending, { arrived: false, release, free });
  }

  isHolding(ending: string): boolean {
    return this.held.get(ending)?.arrived === true;
  }

  release(ending: string): void {
    this.held.get(ending)?.free();
    this.held.delete(ending);
  }

  protected async whileHeld(line: string): Promise<void> {
    for (const [ending, hold] of this.held) {
      if (!line.endsWith(ending)) continue;
      hold.arrived = true;
      await hold.release;
    }
  }
}
