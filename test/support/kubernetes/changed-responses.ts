import type { DemoWorld } from '../../../backend/src/drivers/demo/demo-world.js';

/** Changes what an API server of the demo responds to paths that match, as long as `run` runs. */
export async function withChangedResponses(
  server: ReturnType<DemoWorld['apiServer']>,
  path: RegExp,
  change: (body: unknown) => void,
  run: () => Promise<void>,
): Promise<void> {
  const send = server.send.bind(server);
  server.send = async (request) => {
    const response = await send(request);
    if (!path.test(request.path) || response.status !== 200) return response;
    const body = JSON.parse(response.text) as unknown;
    change(body);
    return { ...response, text: JSON.stringify(body) };
  };
  try {
    await run();
  } finally {
    server.send = send;
  }
}
