import { createServer, type AddressInfo, type Server } from 'node:net';

/** Takes a port of this machine, or any one that is free, as another program would. */
export async function listenOn(port = 0): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = await listenOn();
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
