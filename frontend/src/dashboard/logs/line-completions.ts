import { completionsIn, type NamedSource } from '../../../../backend/src/core/search/index.js';
import { plainText } from '../../shared/lines/ansi';
import type { LogLine } from '../../shared/lines/log-line';
import type { Completable } from '../../shared/search/query-completion';

/** As many as the log board offers, from as many lines. */
const MAX_LINES = 2000;
const MAX_COMPLETIONS = 20;

/** The completions of a condition in lines in memory, the most frequent first. @param lines the newest first */
export function lineCompletions(
  lines: Iterable<LogLine>,
  { compared, typed }: Completable,
  sources: readonly NamedSource[],
): { value: string; count: number }[] {
  const identities = new Map(sources.map(({ id, identity }) => [id, identity]));
  const counts = new Map<string, number>();
  let examined = 0;
  for (const { source, level, stream, text } of lines) {
    const line = { level, stream, text: plainText(text) };
    const found = completionsIn(line, identities.get(source), { name: compared?.name, begin: typed });
    for (const value of found) counts.set(value, (counts.get(value) ?? 0) + 1);
    examined += 1;
    if (examined === MAX_LINES) break;
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_COMPLETIONS);
}
