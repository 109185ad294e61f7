import type { RuntimeDriver } from './runtime-driver.js';

/** Requests must complete within 5 s. The rest of the request shares what remains. */
const TIMEOUT_MS = 3000;

/**
 * Verifies that an engine responds before a caller starts something that would wait for it. The list of clusters is
 * no proof: it contains the last known state of an engine that has just stopped responding.
 * @throws DomainError `runtime_unavailable`
 */
export async function assertAvailable(runtime: RuntimeDriver): Promise<void> {
  await runtime.ping(TIMEOUT_MS);
}
