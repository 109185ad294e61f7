import type { ClientMessage } from './socket-messages.js';

/** Most of the newest lines with which a subscription begins. */
export const MOST_TAIL = 5000;

type MessageOf<TType extends ClientMessage['type']> = Extract<ClientMessage, { type: TType }>;

/** What a client asks to follow; a sentence where it cannot be understood. */
export function readSubscribe(message: unknown): Omit<MessageOf<'subscribe'>, 'type'> | string {
  const { source, after, run, tail } = fieldsOf(message);
  if (!isNumber(source, 1)) return 'Name the source by its number, as in {"type":"subscribe","source":17}.';
  if (after !== undefined && !isNumber(after, 0)) {
    return 'after is the number of the last line that you have: a whole number from 0 on.';
  }
  if (run !== undefined && !isNumber(run, 0)) {
    return 'run is what "subscribed" named when you got that line: a whole number from 0 on.';
  }
  if (tail !== undefined && !(isNumber(tail, 0) && tail <= MOST_TAIL)) {
    return `tail is how many of the newest lines come first: a whole number from 0 to ${MOST_TAIL}.`;
  }
  return {
    source,
    ...(after === undefined ? {} : { after }),
    ...(run === undefined ? {} : { run }),
    ...(tail === undefined ? {} : { tail }),
  };
}

/** The source that a message names; undefined where it names none. */
export function readSource(message: unknown): number | undefined {
  const { source } = fieldsOf(message);
  return isNumber(source, 1) ? source : undefined;
}

/** How far a client has read; undefined where it cannot be understood. */
export function readAck(message: unknown): Omit<MessageOf<'ack'>, 'type'> | undefined {
  const { source, seq } = fieldsOf(message);
  return isNumber(source, 1) && isNumber(seq, 0) ? { source, seq } : undefined;
}

function fieldsOf(message: unknown): Record<string, unknown> {
  return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : {};
}

function isNumber(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
