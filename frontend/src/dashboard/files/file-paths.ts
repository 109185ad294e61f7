/** A directory on the way to a path. */
export interface PathStep {
  name: string;
  path: string;
}

/** `/etc/nginx` as `/`, `etc`, `nginx`, each with its own path. */
export function stepsOf(path: string): PathStep[] {
  const names = path.split('/').filter((name) => name !== '');
  return [
    { name: '/', path: '/' },
    ...names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` })),
  ];
}

export function childOf(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** A typed or linked path without empty parts, `.` and `..`, which the API rejects. */
export function normalPath(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}
