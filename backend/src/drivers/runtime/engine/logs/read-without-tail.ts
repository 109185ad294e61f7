import type { LogPiece, LogStart } from '../../container-logs.js';

export interface LogQuery {
  follow: boolean;
  since?: number | null;
  tail?: number;
}

const NEWLINE = 0x0a;

/**
 * Reads a log of Podman 4 without its parameter `tail`, with which it joins the parts of long lines incorrectly or loses
 * them. Reads the whole log once, keeps the tail, and then follows the log from the last second, of which it skips the
 * bytes that it has already read. With `since`, `tail` is ignored.
 */
export async function* readWithoutTail(
  { since, tail }: LogStart,
  request: (query: LogQuery) => AsyncIterable<LogPiece[]>,
): AsyncGenerator<LogPiece[]> {
  if (since !== null) {
    yield* request({ follow: true, since });
    return;
  }
  let newest: LogPiece[] = [];
  let isCut = false;
  let second = 0;
  let bytesOfSecond = 0;
  try {
    for await (const pieces of request({ follow: false })) {
      for (const piece of pieces) {
        newest.push(piece);
        if (piece.time > second) bytesOfSecond = 0;
        second = Math.max(second, piece.time);
        if (piece.time === second) bytesOfSecond += piece.data.length;
      }
      if (newest.length > 2 * tail + 1000) {
        newest = newest.slice(-tail - 1);
        isCut = true;
      }
    }
  } finally {
    // Also if the connection was closed.
    isCut ||= newest.length > tail;
    const kept = isCut ? wholeLines(newest, tail) : newest;
    if (kept.length > 0) yield kept;
  }
  if (second === 0) yield* request({ follow: true });
  else yield* withoutFirst(bytesOfSecond, request({ follow: true, since: second }));
}

/** The last pieces, starting at the beginning of a line. */
function wholeLines(pieces: readonly LogPiece[], tail: number): LogPiece[] {
  let first = Math.max(pieces.length - tail, 0);
  while (first > 0 && first < pieces.length && pieces[first - 1]?.data.at(-1) !== NEWLINE) first += 1;
  return pieces.slice(first);
}

async function* withoutFirst(bytes: number, batches: AsyncIterable<LogPiece[]>): AsyncGenerator<LogPiece[]> {
  let known = bytes;
  for await (const batch of batches) {
    const fresh: LogPiece[] = [];
    for (const piece of batch) {
      if (known >= piece.data.length) known -= piece.data.length;
      else {
        fresh.push(known === 0 ? piece : { ...piece, data: piece.data.subarray(known) });
        known = 0;
      }
    }
    if (fresh.length > 0) yield fresh;
  }
}
