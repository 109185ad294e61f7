import { recordOf } from '../../core/values/index.js';
import type { SubscribeOptions } from './live-lines.js';

/** Maximum number of stored lines at the start of a subscription. */
const MAX_TAIL = 5000;

export function readSubscribe(message: unknown): (SubscribeOptions & { source: number }) | string {
  const { source, after, run, tail } = recordOf(message);
  if (!isNumber(source, 1)) {
    return 'source is required and must be a source id, for example {"type":"subscribe","source":17}.';
  }
  if (after !== undefined && !isNumber(after, 0)) {
    return 'after must be the number of the last received line, an integer of 0 or more.';
  }
  if (run !== undefined && !isNumber(run, 0)) {
    return 'run must be the value from the "subscribed" message, an integer of 0 or more.';
  }
  if (tail !== undefined && !(isNumber(tail, 0) && tail <= MAX_TAIL)) {
    return `tail must be the number of stored lines to send first, an integer from 0 to ${MAX_TAIL}.`;
  }
  return { source, after, run, tail };
}

export function readSource(message: unknown): number | undefined {
  const { source } = recordOf(message);
  return isNumber(source, 1) ? source : undefined;
}

export function readAck(message: unknown): { source: number; seq: number } | undefined {
  const { source, seq } = recordOf(message);
  return isNumber(source, 1) && isNumber(seq, 0) ? { source, seq } : undefined;
}

function isNumber(value: unknown, minimum: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum;
}
