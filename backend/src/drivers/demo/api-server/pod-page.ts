import { createServer, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { badRequest } from './status.js';
import type { Pod } from './shapes.js';

/** `…/portforward` of Pods: each port serves one page, since Pods of the demo run no programs. */
export class PodPage {
  private readonly open = new Set<Duplex>();

  /** Breaks all connections, as when the server stops. */
  breakAll(error: Error): void {
    for (const stream of [...this.open]) stream.destroy(error);
  }

  /** @throws ApiFailure 400 if it does not run */
  connect(pod: Pod, port: number): Duplex {
    const { name } = pod.metadata;
    if (pod.status?.phase !== 'Running') throw badRequest(`pod ${name} is not running`);
    const [near, far] = duplexPair();
    pageServer(name, port).emit('connection', far);
    this.open.add(near);
    near.once('close', () => {
      this.open.delete(near);
      far.destroy();
    });
    return near;
  }
}

function pageServer(pod: string, port: number): Server {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    // Names of Pods and ports need no escapes.
    response.end(`<!doctype html>
<html lang="en">
  <title>${pod}</title>
  <style>body { font: 16px system-ui; margin: 4rem; color-scheme: light dark }</style>
  <h1>${pod}</h1>
  <p>Port ${port} of a demo Pod. Pods of the demo run no programs: this page is built into Slipway.</p>
</html>
`);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}
