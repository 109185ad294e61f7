import { isMap, parseDocument, type Document } from 'yaml';

/** kind's kubeconfigs have some 6 kB. */
const MAX_BYTES = 200_000;

/**
 * A name that the certificate of every API server of kind has, whatever else it has:
 * kind writes it into kubeadm's `certSANs` first (`pkg/cluster/internal/kubeadm/config.go`).
 */
export const CERTIFIED_NAME = 'localhost';

/** Where the API server listens inside its container. */
const API_PORT = 6443;

/** What names a cluster's API: an address, and the authority that its certificate is from. */
export interface ClusterEndpoint {
  server: string;
  /** Base64 of PEM, as the kubeconfig has it. */
  certificateAuthority: string;
}

/** The kubeconfig of one cluster, as kind writes it: one cluster, one user, one context. */
export class ClusterKubeconfig {
  private constructor(
    private readonly text: string,
    readonly endpoint: ClusterEndpoint,
    /** Credentials of the cluster's administrator. Never logged, never part of an error. */
    readonly user: Readonly<Record<string, unknown>>,
  ) {}

  /** @throws Error saying in what it differs from what kind writes, and never with a part of its text. */
  static parse(text: string): ClusterKubeconfig {
    const value: unknown = open(text).toJS();
    const { apiVersion, kind, clusters, contexts, users } = value as Record<string, unknown>;
    if (apiVersion !== 'v1' || kind !== 'Config') throw new Error('it is not a kubeconfig');
    const cluster = only(clusters, 'cluster');
    const user = only(users, 'user');
    only(contexts, 'context');
    if (cluster['insecure-skip-tls-verify'] !== undefined) throw new Error('it switches verification off');
    const authority = cluster['certificate-authority-data'];
    if (typeof authority !== 'string' || authority === '') {
      throw new Error('it names no certificate authority');
    }
    return new ClusterKubeconfig(text, { server: addressOf(cluster), certificateAuthority: authority }, user);
  }

  /**
   * For containers outside the cluster's network: the machine by the name that they know it by. The
   * certificate does not have that name, so the one to check it against is given with it.
   */
  viaHost(alias: string): string {
    return this.rewritten(`https://${alias}:${new URL(this.endpoint.server).port}`, CERTIFIED_NAME);
  }

  /** For containers on the cluster's network. The certificate has the names of its own nodes. */
  viaNetwork(entry: string): string {
    return this.rewritten(`https://${entry}:${API_PORT}`, undefined);
  }

  private rewritten(server: string, certifiedName: string | undefined): string {
    const document = open(this.text);
    const path = ['clusters', 0, 'cluster'];
    document.setIn([...path, 'server'], server);
    if (certifiedName === undefined) document.deleteIn([...path, 'tls-server-name']);
    else document.setIn([...path, 'tls-server-name'], certifiedName);
    return document.toString({ lineWidth: 0, indentSeq: false });
  }
}

function open(text: string): Document {
  if (text.length > MAX_BYTES) throw new Error('it is too large');
  const document = parseDocument(text, { strict: true, uniqueKeys: true, logLevel: 'error' });
  // The library's own message quotes the line, and a line may be a key.
  if (document.errors.length > 0 || !isMap(document.contents)) throw new Error('it is not valid YAML');
  return document;
}

function only(list: unknown, what: 'cluster' | 'user' | 'context'): Record<string, unknown> {
  if (!Array.isArray(list) || list.length !== 1) throw new Error(`it does not have exactly one ${what}`);
  const entry = (list[0] as Record<string, unknown> | null)?.[what];
  if (typeof entry !== 'object' || entry === null) throw new Error(`its ${what} is empty`);
  return entry as Record<string, unknown>;
}

function addressOf({ server }: Record<string, unknown>): string {
  const address = typeof server === 'string' ? URL.parse(server) : null;
  if (typeof server !== 'string' || address?.protocol !== 'https:' || address.port === '') {
    throw new Error('its server is not an https address with a port');
  }
  return server;
}
