import { findHits, type Hit } from '../lines/hits';

export interface RegexRequest {
  regex: string;
  matchCase: boolean;
  texts: readonly string[];
}

/** `ready` once the worker runs; then the hits of each text, or null for an invalid regex. */
export type RegexResponse = 'ready' | readonly (readonly Hit[])[] | null;

/** May run forever: call it only where it can be terminated. */
export function regexHits({ regex, matchCase, texts }: RegexRequest): RegexResponse {
  const compiled = compile(regex, matchCase ? 'g' : 'gi');
  return compiled && texts.map((text) => findHits(text, compiled));
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
