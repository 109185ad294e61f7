import type { RuntimeDriver } from '../../drivers/runtime/index.js';

/** No request is held longer than five seconds; what comes before and after this takes its share of them. */
const PATIENCE_MS = 3000;

/**
 * Makes sure that an engine answers now, before something is begun that would wait for it. The list of
 * clusters cannot tell: an engine that fell silent a moment ago is still answered for with what it said.
 * @throws DomainError `runtime_unavailable`
 */
export async function assertAnswers(runtime: RuntimeDriver): Promise<void> {
  await runtime.ping(PATIENCE_MS);
}
