import { DomainError } from '../../../core/errors/index.js';
import type { EngineConnection } from './engine-connection.js';
import { engineMessage, isConflict, isGone } from './engine-error.js';

const DEADLINE_MS = 60_000;

/**
 * Removes an object. Succeeds if it does not exist.
 * @throws DomainError with the code if the object is in use.
 */
export async function removeUnused(
  connection: EngineConnection,
  what: string,
  code: 'image_in_use' | 'volume_in_use',
  call: Parameters<EngineConnection['read']>[0],
): Promise<void> {
  try {
    await connection.read(call, DEADLINE_MS);
  } catch (error) {
    if (isGone(error)) return;
    if (!isConflict(error)) throw error;
    const message = `${connection.engine} could not remove ${what}: ${engineMessage(error)}.`;
    throw new DomainError(code, message, undefined, { cause: error });
  }
}
