import { singleKubeconfig } from '../../core/kubeconfig/index.js';
import { isRecord, recordOf } from '../../core/values/index.js';
import { isMap, isScalar, parseYaml, visit, type Document } from '../../core/yaml/index.js';

/** kind's kubeconfigs have about 6 kB. */
const MAX_BYTES = 16_000;

/**
 * A name in every API server certificate of kind, which always adds it to kubeadm's `certSANs`
 * (`pkg/cluster/internal/kubeadm/config.go`).
 */
const CERTIFIED_NAME = 'localhost';

/** Where the API server listens inside its container. */
const API_PORT = 6443;

/** The allowed fields. Everything else in a cluster or a user is rejected. */
const CLUSTER_FIELDS = ['server', 'certificate-authority-data'];
const USER_FIELDS = ['client-certificate-data', 'client-key-data', 'token'];

const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/;
/** Without a user, a path or a query. */
const SERVER = /^https:\/\/(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/;
/** Characters allowed in an HTTP header. */
const TOKEN = /^[\x21-\x7e]+$/;
/** The names of kind and kubeadm. kubectl prints them to the terminal unchanged. */
const NAME = /^[\w.@:/+-]{1,253}$/;
const FIELD_NAME = /^[\w.-]{1,60}$/;

/** The URL of an API server, and the authority of its certificate. */
export interface ClusterEndpoint {
  server: string;
  /** PEM in Base64, as in the kubeconfig. */
  certificateAuthority: string;
}

/** The credentials of the cluster administrator, with the field names of a kubeconfig. */
export type ClusterUser = Readonly<
  Partial<Record<'client-certificate-data' | 'client-key-data' | 'token', string>>
>;

/**
 * The kubeconfig of one cluster, rebuilt from an allow-list: an https server, an inline certificate authority, and
 * an inline client certificate with its key or a token.
 *
 * kind returns the file in a node unchanged, and a kubeconfig can contain programs to run (`exec`, `auth-provider`),
 * files to read (`tokenFile`, `client-certificate`) and proxies, so a compromised node could run code on this machine.
 * All code that uses a kubeconfig takes this type, so nothing else reaches a client, a file or a user.
 */
export class ClusterKubeconfig {
  /** YAML for this machine, in a canonical form. */
  readonly text: string;

  private constructor(
    private readonly name: string,
    readonly endpoint: ClusterEndpoint,
    /** Must never be logged or be part of an error. */
    readonly user: ClusterUser,
  ) {
    this.text = this.render(endpoint.server);
  }

  /** @throws Error with the name of the invalid field, and without values of the text. */
  static parse(text: string): ClusterKubeconfig {
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new Error(`it is larger than ${MAX_BYTES / 1000} kB`);
    }
    const content = recordOf(readYaml(text));
    if (content['apiVersion'] !== 'v1' || content['kind'] !== 'Config') {
      throw new Error('it is not a kubeconfig');
    }
    const cluster = only(content, 'cluster', CLUSTER_FIELDS);
    const user = only(content, 'user', USER_FIELDS);
    const context = only(content, 'context', null);
    const authority = cluster.text('certificate-authority-data', BASE64);
    if (authority === undefined) {
      throw new Error('clusters[0].cluster.certificate-authority-data is required');
    }
    const certificate = user.text('client-certificate-data', BASE64);
    const key = user.text('client-key-data', BASE64);
    if ((certificate === undefined) !== (key === undefined)) {
      const missing = key === undefined ? 'client-key-data' : 'client-certificate-data';
      throw new Error(`users[0].user.${missing} is required`);
    }
    const token = user.text('token', TOKEN);
    return new ClusterKubeconfig(
      context.name,
      { server: serverOf(cluster), certificateAuthority: authority },
      {
        ...(certificate === undefined || key === undefined
          ? {}
          : { 'client-certificate-data': certificate, 'client-key-data': key }),
        ...(token === undefined ? {} : { token }),
      },
    );
  }

  /**
   * For containers outside the cluster's network, which reach this machine by an alias. The certificate does not have
   * that name, so the kubeconfig contains the one to verify.
   */
  viaHost(alias: string): string {
    const { port } = new URL(this.endpoint.server);
    return this.render(`https://${alias}:${port || '443'}`, CERTIFIED_NAME);
  }

  /** For containers on the cluster's network. The certificate has the names of the nodes. */
  viaNetwork(entry: string): ClusterKubeconfig {
    return new ClusterKubeconfig(
      this.name,
      { ...this.endpoint, server: `https://${entry}:${API_PORT}` },
      this.user,
    );
  }

  private render(server: string, certifiedName?: string): string {
    const cluster = {
      'certificate-authority-data': this.endpoint.certificateAuthority,
      server,
      'tls-server-name': certifiedName,
    };
    return singleKubeconfig(this.name, cluster, this.user);
  }
}

/** @throws Error without the library's message, which quotes the line: that may be a key. */
function readYaml(text: string): unknown {
  const document = parseYaml(text, { uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) throw new Error('it is not valid YAML');
  assertPlain(document);
  return document.toJS({ maxAliasCount: 0 });
}

function assertPlain(document: Document): void {
  visit(document, {
    Alias: () => {
      throw new Error('it has an alias');
    },
    Map: (_key, { items }) => {
      const keys = new Set(items.map(({ key }) => (isScalar(key) ? String(key.value) : '')));
      if (keys.size < items.length) throw new Error('it has a duplicate key');
    },
  });
}

interface Entry {
  name: string;
  /** @returns undefined if the field is missing. @throws Error if it is not a string in this form. */
  text(field: string, form: RegExp): string | undefined;
}

/** @param fields the allowed fields; null if all are ignored. */
function only(
  content: Record<string, unknown>,
  what: 'cluster' | 'user' | 'context',
  fields: readonly string[] | null,
): Entry {
  const list = content[`${what}s`];
  if (!Array.isArray(list) || list.length !== 1) throw new Error(`it does not have exactly one ${what}`);
  const item = recordOf(list[0]);
  const value = item[what];
  const place = `${what}s[0]`;
  if (!isRecord(value)) throw new Error(`${place}.${what} is required`);
  const unknown = Object.keys(value).find((field) => fields?.includes(field) === false);
  if (unknown !== undefined) {
    const field = FIELD_NAME.test(unknown) ? `${place}.${what}.${unknown}` : `a field of ${place}.${what}`;
    throw new Error(`${field} is not allowed`);
  }
  const name = item['name'];
  if (typeof name !== 'string' || !NAME.test(name)) throw new Error(`${place}.name is invalid`);
  return {
    name,
    text: (field, form) => {
      const found = value[field];
      if (found === undefined) return undefined;
      if (typeof found !== 'string' || found === '' || !form.test(found)) {
        throw new Error(`${place}.${what}.${field} is invalid`);
      }
      return found;
    },
  };
}

function serverOf(cluster: Entry): string {
  const server = cluster.text('server', SERVER);
  if (server === undefined) throw new Error('clusters[0].cluster.server is required');
  if (URL.canParse(server)) return server;
  throw new Error('clusters[0].cluster.server is invalid');
}
