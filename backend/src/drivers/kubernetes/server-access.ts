import type { ClusterKubeconfig } from './cluster-kubeconfig.js';

/** The rights of a client. Must never be logged or be part of an error. */
export interface ApiCredentials {
  /** PEM. */
  certificate?: string | Buffer;
  /** PEM. */
  key?: string | Buffer;
  /** Such as `authorization`. */
  headers: Readonly<Record<string, string | string[]>>;
}

/** The address of an API server, and the credentials for it. */
export interface ServerAccess {
  /** Connections of an access with another identity are closed. */
  readonly identity: string;
  /** http or https. May have a path, as behind a proxy for several clusters. */
  readonly server: URL;
  readonly tls: { ca?: string | Buffer; servername?: string; rejectUnauthorized?: boolean };
  /** http, https or socks5. */
  readonly proxy?: URL;
  /** Deadline of a request that has none of its own, in milliseconds. */
  readonly deadlineMs?: number;
  /** For responses from elsewhere. On this machine, compressing takes longer than sending. */
  readonly acceptEncoding?: 'gzip';
  /** Most requests per second that one client sends after a burst of twice as many; missing for no limit. */
  readonly requestsPerSecond?: number;
  /** Namespaces of the user, for what may not be listed in all of them; missing for an administrator. */
  readonly namespaces?: readonly string[];
  /** The same object as before while they are valid. @throws Error with a sentence for the user */
  credentials: () => Promise<ApiCredentials>;
  /** The server does not accept these credentials (401). @returns whether `credentials` may now return others */
  refused?: (credentials: ApiCredentials) => boolean;
  /** YAML for a program of this machine. @throws as `credentials` */
  kubeconfigText: () => Promise<string>;
}

/** The access of a cluster administrator of kind. */
export function accessOf(kubeconfig: ClusterKubeconfig): ServerAccess {
  const { endpoint, user, text } = kubeconfig;
  const { 'client-certificate-data': certificate, 'client-key-data': key, token } = user;
  const credentials: ApiCredentials = {
    ...(certificate === undefined || key === undefined
      ? {}
      : { certificate: Buffer.from(certificate, 'base64'), key: Buffer.from(key, 'base64') }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  return {
    identity: text,
    server: new URL(endpoint.server),
    tls: { ca: Buffer.from(endpoint.certificateAuthority, 'base64') },
    credentials: () => Promise.resolve(credentials),
    kubeconfigText: () => Promise.resolve(text),
  };
}
