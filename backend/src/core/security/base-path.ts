import type { IncomingMessage, Server } from 'node:http';

const paths = new WeakMap<IncomingMessage, string>();

/** The path of a public URL, without a final slash: empty at the root of its host. */
export function pathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** The path below which browsers reach the application of a request, for links and redirects. */
export function basePathOf(request: IncomingMessage): string {
  return paths.get(request) ?? '';
}

/** Serves an application also below a path: the proxy may pass the path on or remove it. No other handler sees it. */
export function serveBelow(server: Server, path: string): void {
  if (path === '') return;
  const receive = (request: IncomingMessage): void => {
    paths.set(request, path);
    const { url = '' } = request;
    const rest = url.startsWith(path) ? url.slice(path.length) : undefined;
    if (rest === undefined || !/^(?:[/?]|$)/.test(rest)) return;
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
  };
  server.prependListener('request', receive);
  server.prependListener('upgrade', receive);
}
