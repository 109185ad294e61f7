import { WorkThread } from '../../core/threads/index.js';

/** A regular expression as plain data, so that it can be sent to a thread. */
export interface Regex {
  source: string;
  flags: string;
}

/** Includes the start of the thread. A regex without catastrophic backtracking takes a few milliseconds per call. */
const DEADLINE_MS = 2000;

export type MatchTexts = (regex: Regex, texts: readonly string[]) => Promise<number[]>;

/** @returns the indexes of the texts that match. */
export function matchTexts({ source, flags }: Regex, texts: readonly string[]): number[] {
  const regex = new RegExp(source, flags);
  return texts.flatMap((text, index) => (regex.test(text) ? [index] : []));
}

/**
 * Matches in a thread, which is terminated at the deadline.
 * @throws DomainError if the regex takes too long.
 */
export function regexThread(milliseconds = DEADLINE_MS): MatchTexts {
  const thread = new WorkThread(import.meta.url, 'match-thread', { milliseconds, memoryMb: 64 });
  return (regex, texts) => thread.run<number[]>(matchTexts.name, [regex, texts]);
}
