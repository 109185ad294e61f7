import { parentPort, workerData } from 'node:worker_threads';
import type { OwnerAnswer, OwnerData, OwnerRequest } from './owner-messages.js';
import { SegmentOwner } from './segment-owner.js';

/** The thread that owns the files of the history. Requests are done in order; tidying waits until there are none. */
const port = parentPort;
if (!port) throw new Error('owner-thread is a thread and nothing else');

const TIDY_AFTER_MS = 20;
/** After opening, first pages come before. */
const FIRST_TIDY_MS = 2000;

const owner = new SegmentOwner((workerData as { data: OwnerData }).data, (answer: OwnerAnswer) =>
  port.postMessage(answer),
);
let timer: NodeJS.Timeout | undefined;
let isClosed = false;

function tidyLater(after = TIDY_AFTER_MS): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    if (!isClosed && owner.tidy()) tidyLater();
  }, after);
}

port.on('message', (request: OwnerRequest) => {
  isClosed = request.type === 'close';
  owner.handle(request);
  if (isClosed) port.close();
  else tidyLater();
});
owner.begin();
tidyLater(FIRST_TIDY_MS);
