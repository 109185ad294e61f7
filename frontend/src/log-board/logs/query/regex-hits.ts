import { findHits, type Hit } from '../../../shared/lines/hits';

/** What the worker is asked. */
export interface RegexRequest {
  expression: string;
  matchCase: boolean;
  texts: readonly string[];
}

/** What it says: that it runs; then to each question the hits of each text, or null where it knows no such expression. */
export type RegexResponse = 'ready' | readonly (readonly Hit[])[] | null;

/** Runs as long as the expression does: only where that can be stopped. */
export function regexHits({ expression, matchCase, texts }: RegexRequest): RegexResponse {
  const compiled = compile(expression, matchCase ? 'g' : 'gi');
  return compiled && texts.map((text) => findHits(text, compiled));
}

/** As the server reads it: with Unicode where it is that, else as older expressions are written. */
function compile(expression: string, flags: string): RegExp | null {
  for (const mode of [`${flags}u`, flags]) {
    try {
      return new RegExp(expression, mode);
    } catch {
      // The next way to read it, or none.
    }
  }
  return null;
}
