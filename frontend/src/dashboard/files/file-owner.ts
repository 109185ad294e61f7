import { apiUrl, type ClusterKey } from '../../shared/api/api';

/** A container whose files are shown. */
export interface FileOwner {
  key: ClusterKey;
  namespace: string;
  pod: string;
  container: string;
}

/** The parameters of requests for a file. @param path absolute in the container */
export function fileParams(
  { key, namespace, pod, container }: FileOwner,
  path: string,
): ClusterKey & Omit<FileOwner, 'key'> & { path: string } {
  return { ...key, namespace, pod, container, path };
}

/** The URL from which the browser saves a file, or a directory as a tar archive. */
export function contentUrl(of: FileOwner, path: string): string {
  return apiUrl('/api/v1/clusters/{name}/pods/{namespace}/{pod}/files/content', fileParams(of, path));
}
