import { DomainError } from '../../../core/errors/index.js';
import { ownValue } from '../../../core/values/index.js';
import { CLUSTER_LABEL, type NodeEvent } from '../runtime-driver.js';
import { engineEventMessage, type EngineEventMessage } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { jsonLines } from './json-lines.js';

const ACTIONS: Record<string, NodeEvent['action']> = {
  start: 'start',
  die: 'die',
  died: 'die',
  oom: 'oom',
  pause: 'pause',
  unpause: 'unpause',
  destroy: 'destroy',
  remove: 'destroy',
  create: 'create',
  rename: 'rename',
};

/** Excludes the hundreds of commands that kind runs in the nodes during a creation. */
const EVENTS = Object.keys(ACTIONS);

/**
 * The events of an engine's containers until the signal aborts.
 * @throws DomainError `runtime_unavailable` if the engine ends the stream.
 */
export async function* containerEvents(
  connection: EngineConnection,
  signal: AbortSignal,
): AsyncGenerator<EngineEventMessage> {
  // No label filter, since one without a value matches nothing in Podman 4.
  const filters = { type: ['container'], event: EVENTS };
  // The response starts with the first event, so it has no deadline.
  const stream = await connection.stream(
    (client, abortSignal) => client.getEvents({ filters, abortSignal }),
    signal,
    2 ** 31 - 1,
  );
  yield* jsonLines(stream, engineEventMessage);
  throw new DomainError('runtime_unavailable', `${connection.engine} closed its stream of events.`, {
    runtime: connection.engine,
  });
}

export function toNodeEvent({ Action = '', Actor, time, timeNano }: EngineEventMessage): NodeEvent {
  const attributes = Actor?.Attributes ?? {};
  const exitCode = attributes['exitCode'] ?? attributes['containerExitCode'];
  const milliseconds = timeNano ? timeNano / 1e6 : (time ?? 0) * 1000;
  return {
    action: ownValue(ACTIONS, Action) ?? 'other',
    container: attributes['name'] ?? '',
    cluster: attributes[CLUSTER_LABEL] ?? '',
    exitCode: exitCode === undefined ? null : Number(exitCode),
    time: new Date(milliseconds || Date.now()).toISOString(),
  };
}
