import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { LinesAtBoard } from './lines-at.js';
import type { SearchAnswer, SearchRequest, ThreadAnswer, ThreadBegin } from './search-messages.js';
import { UnitSearch } from './unit-search.js';

/** A thread that searches. An expression that does not come to an end is ended with the thread. */
const port = parentPort;
if (!port) throw new Error('search-thread is a thread and nothing else');

/** What goes over without being copied. */
function buffersOf({ units }: SearchAnswer): ArrayBuffer[] {
  return units.flatMap(({ matches }) =>
    matches ? [matches.numbers.buffer as ArrayBuffer, matches.text.buffer as ArrayBuffer] : [],
  );
}

const { places, at } = (workerData as { data: ThreadBegin }).data;
const search = new UnitSearch(places, new LinesAtBoard(at));

port.on('message', (request: SearchRequest) => {
  if (request.type === 'end') {
    search.close();
    port.close();
    return;
  }
  let answer: ThreadAnswer;
  try {
    answer = { id: request.id, answer: search.run(request.task) };
  } catch (error) {
    answer = { id: request.id, reason: reasonOf(error) };
  }
  port.postMessage(answer, 'answer' in answer ? buffersOf(answer.answer) : []);
});
port.postMessage({ id: 0 } satisfies ThreadAnswer);
