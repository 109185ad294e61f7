/** The server and user of a context, as kubectl sees them. */
export interface MergedContext {
  server: string | null;
  token: string | null;
  namespace: string | null;
  proxy: string | null;
}

interface Case {
  name: string;
  /** The files of KUBECONFIG, in its order; null for one that does not exist. */
  files: (string | null)[];
  /** By context. null for one that kubectl cannot use. */
  contexts: Record<string, MergedContext | null>;
}

const ONE = `
apiVersion: v1
kind: Config
clusters:
- {name: shared, cluster: {server: "https://one.test"}}
users:
- {name: shared, user: {token: token-one}}
contexts:
- {name: same, context: {cluster: shared, user: shared}}
- {name: across, context: {cluster: second, user: shared, namespace: shop}}
- {name: dangling, context: {cluster: nowhere, user: shared}}
`;

const TWO = `
apiVersion: v1
kind: Config
clusters:
- {name: shared, cluster: {server: "https://two.test", proxy-url: "http://proxy.test:1"}}
- {name: second, cluster: {server: "https://second.test"}}
users:
- {name: shared, user: {token: token-two}}
- {name: second, user: {token: token-second}}
contexts:
- {name: same, context: {cluster: second, user: second, namespace: team}}
- {name: other, context: {cluster: shared, user: second, namespace: ""}}
- {name: anonymous, context: {cluster: second}}
`;

const of = (
  server: string | null,
  token: string | null,
  namespace: string | null = null,
  proxy: string | null = null,
): MergedContext => ({ server, token, namespace, proxy });

/** Several files as kubectl merges them: the first entry of a name counts, as a whole. */
export const KUBECONFIG_MERGES: Case[] = [
  {
    name: 'two files',
    files: [ONE, TWO],
    contexts: {
      same: of('https://one.test', 'token-one'),
      across: of('https://second.test', 'token-one', 'shop'),
      other: of('https://one.test', 'token-second'),
      anonymous: of('https://second.test', null),
      dangling: null,
    },
  },
  {
    name: 'the same files in the other order',
    files: [TWO, ONE],
    contexts: {
      same: of('https://second.test', 'token-second', 'team'),
      across: of('https://second.test', 'token-two', 'shop'),
      other: of('https://two.test', 'token-second', null, 'http://proxy.test:1'),
      dangling: null,
    },
  },
  {
    name: 'files that are missing or empty',
    files: [null, '', 'apiVersion: v1\nkind: Config\n', ONE, ONE],
    contexts: { same: of('https://one.test', 'token-one'), dangling: null, across: null },
  },
];
