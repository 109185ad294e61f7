import { findHits, type Hit } from '../lines/hits';

export interface RegexRequest {
  regex: string;
  matchCase: boolean;
  texts: readonly string[];
  /** Only whether each text matches: one hit, wherever it is. */
  isTest?: boolean;
}

/** `ready` once the worker runs; then the hits of each text, or null for an invalid regex. */
export type RegexResponse = 'ready' | readonly (readonly Hit[])[] | null;

/** May run forever: call it only where it can be terminated. */
export function regexHits({ regex, matchCase, texts, isTest = false }: RegexRequest): RegexResponse {
  const compiled = compile(regex, matchCase ? 'g' : 'gi');
  return compiled && texts.map((text) => (isTest ? testHits(text, compiled) : findHits(text, compiled)));
}

/** One hit if a text matches, also if it matches with no character. */
function testHits(text: string, regex: RegExp): Hit[] {
  return text.search(regex) < 0 ? [] : [{ from: 0, to: 0 }];
}

/** As on the server: with the flag `u` if the regex allows it. */
function compile(regex: string, flags: string): RegExp | null {
  for (const mode of [`${flags}u`, flags]) {
    try {
      // eslint-disable-next-line no-restricted-syntax -- It runs in a worker with a deadline.
      return new RegExp(regex, mode);
    } catch {
      // Try the next mode.
    }
  }
  return null;
}
