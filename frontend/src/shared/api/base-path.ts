/** The path below which a proxy serves the application, without a final slash: empty at the root of a host. */
function basePath(): string {
  return document.querySelector('base')?.getAttribute('href')?.replace(/\/$/, '') ?? '';
}

/** A path of Slipway as the browser reaches it. The router adds the base path itself. */
export function served(path: string): string {
  return basePath() + path;
}

/** The path of Slipway that the browser reaches at a path. */
export function unserved(path: string): string {
  const base = basePath();
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
