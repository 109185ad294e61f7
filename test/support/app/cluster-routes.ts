import type { ApiClient, ApiRequest } from './api-client.js';

/** A route of one cluster, with a request that only a missing cluster makes fail. */
export interface ClusterRoute {
  method: string;
  /** The path after the cluster's name, with required query parameters: `/config`. */
  part: string;
  request: ApiRequest;
}

const PREFIX = '/api/v1/clusters/{name}';
const CONFIG = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n';
const OBJECT = '/resources/{group}/{version}/{plural}/{object}';

/** Bodies of the routes that require one, by method and part. */
const REQUESTS: Readonly<Record<string, ApiRequest>> = {
  'PUT /config': { body: { config: CONFIG }, headers: { 'if-match': '*' } },
  'POST /config/check': { body: { config: CONFIG } },
  'POST /clone': { body: { name: 'another' } },
  'POST /clone/check': { body: { name: 'another' } },
  'POST /images/load': { body: { images: ['docker.io/kindest/node:v1.34.4'] } },
  'POST /images/upload': { text: 'x', headers: { 'content-type': 'application/x-tar' } },
  [`PUT ${OBJECT}`]: { body: { yaml: YAML } },
  [`POST ${OBJECT}/scale`]: { body: { replicas: 1 } },
  [`POST ${OBJECT}/fix`]: { body: { fix: 'delete_pod' } },
  'POST /resources/apply': { body: { yaml: YAML } },
  'POST /resources/core/v1/secrets/{object}/reveal': { body: { key: 'password' } },
  'POST /addons': { body: { addon: 'traefik' } },
  'POST /addons/charts': { text: 'x', headers: { 'content-type': 'application/gzip' } },
  'POST /addons/repositories': { body: { name: 'own', url: 'https://charts.test/own' } },
  'POST /addons/releases/{release}/rollback': { body: { revision: 1 } },
  'PUT /addons/releases/{release}': { body: { values: '' } },
  'POST /forwards': { body: { plural: 'pods', namespace: 'shop', object: 'web-0', port: '80' } },
  [`POST ${OBJECT}/image`]: { body: { images: [{ container: 'web', image: 'shop/web:1.4.0' }] } },
  'POST /resources/{group}/{version}/{plural}/effects': {
    body: { action: 'delete', objects: [{ namespace: 'shop', name: 'web' }] },
  },
  'PUT /pods/{namespace}/{pod}/files/text': { body: { text: 'x' } },
  'PUT /pods/{namespace}/{pod}/files/content': {
    text: 'x',
    headers: { 'content-type': 'application/octet-stream' },
  },
  'POST /pods/restart': { body: { namespace: 'shop', name: 'web-0' } },
};

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: { example?: string } }[];
}

/** All routes of one cluster in the API document, so that tests cover new ones. */
export async function clusterRoutes(client: ApiClient): Promise<ClusterRoute[]> {
  const { paths } = await client.get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([name, operation]): ClusterRoute => {
        const [method, part] = [name.toUpperCase(), path.slice(PREFIX.length)];
        return {
          method,
          part: part + requiredQuery(operation),
          request: REQUESTS[`${method} ${part}`] ?? {},
        };
      }),
    );
}

function requiredQuery({ parameters = [] }: Operation): string {
  const required = parameters.filter((each) => each.in === 'query' && each.required);
  if (required.length === 0) return '';
  const query = Object.fromEntries(required.map(({ name, schema }) => [name, schema?.example ?? 'web']));
  return `?${new URLSearchParams(query).toString()}`;
}
