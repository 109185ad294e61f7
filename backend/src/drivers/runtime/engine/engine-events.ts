import { DomainError } from '../../../core/errors/index.js';
import { CLUSTER_LABEL, type NodeEvent } from '../runtime-driver.js';
import type { EngineEventMessage } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { jsonLines } from './json-lines.js';

const ACTIONS: Record<string, NodeEvent['action']> = {
  start: 'start',
  die: 'die',
  died: 'die',
  pause: 'pause',
  unpause: 'unpause',
  destroy: 'destroy',
  remove: 'destroy',
  create: 'create',
  rename: 'rename',
};

/** Without this choice kind's commands inside the nodes would be told of, hundreds in a creation. */
const FOLLOWED = Object.keys(ACTIONS);

/**
 * What happens to an engine's containers, nodes or not, until the signal is given.
 * @throws DomainError `runtime_unavailable` once the engine tells no more.
 */
export async function* containerEvents(
  connection: EngineConnection,
  signal: AbortSignal,
): AsyncGenerator<EngineEventMessage> {
  // Podman 4 takes a label filter without a value for one that nothing matches, so labels are looked at by who asks.
  const filters = { type: ['container'], event: FOLLOWED };
  // The answer begins with the first event, so its beginning has no deadline of its own.
  const stream = await connection.stream(
    (client, abortSignal) => client.getEvents({ filters, abortSignal }),
    signal,
    2 ** 31 - 1,
  );
  yield* jsonLines<EngineEventMessage>(stream);
  throw new DomainError('runtime_unavailable', `${connection.engine} closed its stream of events.`, {
    runtime: connection.engine,
  });
}

export function toNodeEvent({ Action = '', Actor, time, timeNano }: EngineEventMessage): NodeEvent {
  const attributes = Actor?.Attributes ?? {};
  const exitCode = attributes['exitCode'] ?? attributes['containerExitCode'];
  const milliseconds = timeNano ? timeNano / 1e6 : (time ?? 0) * 1000;
  return {
    action: ACTIONS[Action] ?? 'other',
    container: attributes['name'] ?? '',
    cluster: attributes[CLUSTER_LABEL] ?? '',
    exitCode: exitCode === undefined ? null : Number(exitCode),
    time: new Date(milliseconds || Date.now()).toISOString(),
  };
}
