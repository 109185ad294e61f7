import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
const ENDED_WITHIN_MS = 600_000;

/** Calls the API. @throws Error with what it said when it refused. */
export async function ask(server, method, path, body = undefined) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${said.message}`);
  return said;
}

/** Polls a job until `isThere` says so. */
export async function jobUntil(server, id, isThere) {
  const deadline = performance.now() + ENDED_WITHIN_MS;
  while (performance.now() < deadline) {
    const job = await ask(server, 'GET', `/jobs/${id}`);
    if (isThere(job)) return job;
    await delay(POLL_MS);
  }
  throw new Error(`job ${id} did not come that far within ${ENDED_WITHIN_MS / 60_000} minutes`);
}
