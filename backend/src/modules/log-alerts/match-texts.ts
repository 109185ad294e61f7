import { WorkProcess } from '../../core/work/index.js';

/** A regular expression as plain data, so that it can be sent to a process. */
export interface Regex {
  source: string;
  flags: string;
}

/** A regex without catastrophic backtracking takes a few milliseconds per call. */
const DEADLINE_MS = 2000;

export type MatchTexts = (regex: Regex, texts: readonly string[]) => Promise<number[]>;

/** @returns the indexes of the texts that match. */
export function matchTexts({ source, flags }: Regex, texts: readonly string[]): number[] {
  // eslint-disable-next-line no-restricted-syntax -- The process of RegexQueue, which has a deadline.
  const regex = new RegExp(source, flags);
  return texts.flatMap((text, index) => (regex.test(text) ? [index] : []));
}

/**
 * Matches in a process, which is ended at the deadline.
 * @throws DomainError if the regex takes too long.
 */
export function regexProcess(milliseconds = DEADLINE_MS): MatchTexts {
  const work = new WorkProcess(import.meta.url, 'match-process', { milliseconds, memoryMb: 64 });
  return (regex, texts) => work.run<number[]>(matchTexts.name, [regex, texts]);
}
