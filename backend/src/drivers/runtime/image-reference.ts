/**
 * The full name of a repository, as used by containerd in the nodes: `app` is `docker.io/library/app`.
 * https://github.com/distribution/reference
 */
export function fullRepository(repository: string): string {
  const slash = repository.indexOf('/');
  const first = slash < 0 ? '' : repository.slice(0, slash);
  // A registry has a dot or a port, or is localhost; anything else is a namespace on Docker Hub.
  const hasRegistry = first.includes('.') || first.includes(':') || first === 'localhost';
  const registry = hasRegistry ? first.replace(/^index\.docker\.io$/, 'docker.io') : 'docker.io';
  const path = hasRegistry ? repository.slice(slash + 1) : repository;
  return registry === 'docker.io' && !path.includes('/')
    ? `docker.io/library/${path}`
    : `${registry}/${path}`;
}

/** The full name of an image with its tag: `app` is `docker.io/library/app:latest`. */
export function fullReference(reference: string): string {
  const [name = '', digest] = reference.split('@');
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  const repository = fullRepository(hasTag ? name.slice(0, colon) : name);
  if (digest !== undefined) return `${repository}@${digest}`;
  return `${repository}:${hasTag ? name.slice(colon + 1) : 'latest'}`;
}
