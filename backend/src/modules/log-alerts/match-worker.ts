import { parentPort } from 'node:worker_threads';

/** What the thread is asked: which of some texts a regular expression fits. */
export interface MatchRequest {
  source: string;
  flags: string;
  texts: readonly string[];
}

/** Places of the texts that it fits, or why it is none. */
export type MatchAnswer = { matches: number[] } | { refused: string };

const MOST_KEPT = 200;
const kept = new Map<string, RegExp>();

function compiled({ source, flags }: MatchRequest): RegExp {
  const key = `${flags}/${source}`;
  let pattern = kept.get(key);
  if (!pattern) {
    if (kept.size >= MOST_KEPT) kept.clear();
    pattern = new RegExp(source, flags);
    kept.set(key, pattern);
  }
  return pattern;
}

function answer(request: MatchRequest): MatchAnswer {
  let pattern: RegExp;
  try {
    pattern = compiled(request);
  } catch (error) {
    return { refused: (error as Error).message };
  }
  return { matches: request.texts.flatMap((text, index) => (pattern.test(text) ? [index] : [])) };
}

const port = parentPort;
if (!port) throw new Error('match-worker runs in a thread of its own');
port.on('message', (request: MatchRequest | 'ready') => {
  port.postMessage(request === 'ready' ? 'ready' : answer(request));
});
