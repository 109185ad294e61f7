export interface LostOutput {
  stream: 'stdout' | 'stderr';
  /** Writes that were dropped. */
  writes: number;
  since: string;
  /** Of the first failure, such as EPIPE. */
  code: string;
}

const lost = new Map<LostOutput['stream'], LostOutput>();

/**
 * From now on, output that its reader, terminal or disk does not take is dropped and counted. A server outlives the
 * program that reads its log.
 */
export function dropLostOutput(): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    // The command line ends on a closed stdout.
    process[stream].removeAllListeners('error').on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      const known = lost.get(stream) ?? { stream, writes: 0, since: new Date().toISOString(), code };
      lost.set(stream, { ...known, writes: known.writes + 1 });
    });
  }
}

export function lostOutput(): LostOutput[] {
  return [...lost.values()];
}
