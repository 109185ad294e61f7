import { parentPort, workerData } from 'node:worker_threads';
import type { OwnerAnswer, OwnerData, OwnerRequest } from './owner-messages.js';
import { Pace } from './pace.js';
import { SegmentOwner } from './segment-owner.js';

/** The thread that owns the files of the history. Requests are done in order; tidying waits until there are none. */
const port = parentPort;
if (!port) throw new Error('owner-thread is a thread and nothing else');

const TIDY_AFTER_MS = 20;
/** After opening, first pages come before. */
const FIRST_TIDY_MS = 2000;
/**
 * Bytes a second from which on lines are only taken in, as far as there is room: to put them in order and to compress
 * them takes a third of a core at 50,000 lines a second, and memory, when both are short.
 */
const FLOOD = 500_000;
const CALM_AGAIN_MS = 500;

const owner = new SegmentOwner((workerData as { data: OwnerData }).data, (answer: OwnerAnswer) =>
  port.postMessage(answer),
);
let timer: NodeJS.Timeout | undefined;
let due = Infinity;
let isClosed = false;
const pace = new Pace();
const begun = performance.now();

/** Sooner than it was to be, or not at all. */
function tidyIn(milliseconds: number): void {
  const at = performance.now() + milliseconds;
  if (at >= due) return;
  clearTimeout(timer);
  due = at;
  timer = setTimeout(tidy, milliseconds);
}

function tidy(): void {
  due = Infinity;
  if (isClosed) return;
  const now = performance.now();
  const isBusy = now - begun < FIRST_TIDY_MS || pace.perSecond(now) > FLOOD;
  if (isBusy && owner.hasRoom) tidyIn(CALM_AGAIN_MS);
  else if (owner.tidy()) tidyIn(TIDY_AFTER_MS);
}

port.on('message', (request: OwnerRequest) => {
  isClosed = request.type === 'close';
  if (request.type === 'write') pace.note(request.bytes.length, performance.now());
  owner.handle(request);
  if (isClosed) port.close();
  else tidyIn(owner.hasRoom ? TIDY_AFTER_MS : 0);
});
owner.begin();
tidyIn(FIRST_TIDY_MS);
