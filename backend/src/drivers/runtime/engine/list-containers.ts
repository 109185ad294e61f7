import type { ContainerSummary } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { engineMessage, isVanishing } from './engine-error.js';

/** Containers of a cluster are removed one after the other, and each removal can break another list. */
const TRIES = 8;

/**
 * Lists an engine's containers in any state.
 *
 * Podman inspects the containers one by one, and the whole list fails if any container is removed in the meantime
 * (containers/podman#10225, #11810). A retry succeeds.
 * @param label `key` or `key=value`.
 * @throws DomainError `runtime_unavailable`, also if all retries fail, as with a damaged storage
 * (containers/podman#15526).
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
        throw connection.unavailable(`it cannot list its containers (${engineMessage(error)})`, error);
      }
    }
  }
}
