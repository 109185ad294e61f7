import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Between the ports that tests name and the node ports of Kubernetes; Linux gives those from 32768 on by default. */
const [FIRST_PORT, END_PORT] = [20_000, 28_000];
const TRIES = 100;

/** Takes a port of this machine, or any one that is free, as another program would. */
export async function listenOn(port = 0): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

/** A free port, below those that this machine gives to connections and servers until the caller uses it. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, END_PORT);
    const server = await listenOn(port).catch(() => undefined);
    if (!server) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error(`found no free port from ${FIRST_PORT} to ${END_PORT - 1}`);
}
