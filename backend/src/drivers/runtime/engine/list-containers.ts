import { reasonOf } from '../../../core/errors/index.js';
import type { ContainerSummary } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { isVanishing } from './engine-error.js';

/** Containers that go one after the other, as those of a cluster do, each spoil another list. */
const TRIES = 8;

/**
 * Lists an engine's containers, in whatever state.
 *
 * Podman asks about each container by itself, and its whole list fails where one goes in the meantime, be it
 * somebody else's (containers/podman#10225, #11810). What is left a moment later can be listed.
 * @param label what they carry, `key` or `key=value`.
 * @throws DomainError `runtime_unavailable`, also where the list goes on failing like that, as it does over a store
 * that is damaged (containers/podman#15526).
 */
export async function listContainers(
  connection: EngineConnection,
  label?: string,
): Promise<ContainerSummary[]> {
  const filters = label === undefined ? {} : { label: [label] };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.read((client, abortSignal) =>
        client.listContainers({ all: true, filters, abortSignal }),
      );
    } catch (error) {
      if (!isVanishing(error)) throw error;
      if (attempt === TRIES) {
        throw connection.unavailable(`it cannot list its containers (${reasonOf(error)})`, error);
      }
    }
  }
}
