import {
  flag,
  list,
  parseJson,
  record,
  required,
  texts,
  word,
  type Read,
  type Reader,
} from '../../core/parsing/index.js';
import { isTypeName } from '../../core/security/index.js';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import type { ResourceType, TypeName } from './resource-api.js';

/** Aggregated discovery since Kubernetes 1.27, with a fallback to one request per group version. */
const ACCEPT = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join();
const DEADLINE_MS = 8000;
/** Types rarely change: only with CRDs and aggregated API servers. */
const FRESH_MS = 60_000;
/** Lookups of unknown types refresh the cache, but not at every keystroke. */
const RETRY_MS = 1000;

/** The groups of the API server itself; all others belong to CRDs or aggregated API servers. */
const BUILT_IN = new Set(
  [
    ['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy', 'apidiscovery.k8s.io'],
    ['admissionregistration.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io'],
    ['authentication.k8s.io', 'authorization.k8s.io', 'rbac.authorization.k8s.io'],
    ['certificates.k8s.io', 'coordination.k8s.io', 'discovery.k8s.io', 'events.k8s.io'],
    ['flowcontrol.apiserver.k8s.io', 'internal.apiserver.k8s.io', 'networking.k8s.io', 'node.k8s.io'],
    ['resource.k8s.io', 'scheduling.k8s.io', 'storage.k8s.io', 'storagemigration.k8s.io'],
    // Later than 1.36.
    ['checkpoint.k8s.io', 'lifecycle.k8s.io'],
  ].flat(),
);

const version = record({ version: word });

/** `apidiscovery.k8s.io/v2`; `v2beta1` has the same fields. */
const groupDiscovery = record({
  kind: word,
  items: list(
    record({
      metadata: record({ name: word }),
      // In order of preference.
      versions: list(
        record({
          version: word,
          freshness: word,
          resources: list(
            record(
              {
                responseKind: record({ kind: word }),
                scope: word,
                verbs: texts,
                shortNames: texts,
                subresources: list(record({ subresource: word })),
              },
              { resource: word },
            ),
          ),
        }),
      ),
    }),
  ),
  // A server without aggregated discovery: of the core group, and of the others.
  versions: texts,
  groups: list(record({ versions: list(version), preferredVersion: version }, { name: word })),
});

const resourceList = record({
  resources: list(record({ namespaced: flag, verbs: texts, shortNames: texts }, { name: word, kind: word })),
});

interface Known {
  /** Each type in its preferred version. */
  preferred: ResourceType[];
  byName: ReadonlyMap<string, ResourceType>;
  /** Versions of groups whose aggregated API server fails, as `metrics.k8s.io/v1beta1`. */
  unavailable: ReadonlySet<string>;
  requestedAt: number;
}

interface Served {
  types: ResourceType[];
  unavailable: string[];
}

/** The types that an API server serves, cached for a minute. */
export class Discovery {
  private known: Known | undefined;
  private loading: Promise<Known> | undefined;

  constructor(
    private readonly connection: ApiConnection,
    private readonly toError: (response: ApiResponse) => Error,
  ) {}

  async types(): Promise<ResourceType[]> {
    return (await this.within(FRESH_MS)).preferred;
  }

  async find(name: TypeName): Promise<ResourceType | undefined> {
    const key = keyOf(name);
    return (await this.within(FRESH_MS)).byName.get(key) ?? (await this.within(RETRY_MS)).byName.get(key);
  }

  async findKind(group: string, kind: string): Promise<ResourceType | undefined> {
    const isIt = (type: ResourceType): boolean => type.group === group && type.kind === kind;
    return (
      (await this.within(FRESH_MS)).preferred.find(isIt) ?? (await this.within(RETRY_MS)).preferred.find(isIt)
    );
  }

  /** Whether an aggregated API server should serve this version, and does not. */
  isUnavailable({ group, version }: TypeName): boolean {
    return this.known?.unavailable.has(`${group}/${version}`) ?? false;
  }

  private async within(ageMs: number): Promise<Known> {
    if (this.known && performance.now() - this.known.requestedAt < ageMs) return this.known;
    this.loading ??= this.load().finally(() => {
      this.loading = undefined;
    });
    return await this.loading;
  }

  private async load(): Promise<Known> {
    const requestedAt = performance.now();
    const [core, groups] = await Promise.all([this.core(), this.groups()]);
    // The server may name anything, and names become parts of paths.
    const all = [...core.types, ...groups.types].filter(isServable);
    const byName = new Map(all.map((type) => [keyOf(type), type]));
    const preferred = new Map<string, ResourceType>();
    for (const type of all) {
      const key = `${type.group}/${type.plural}`;
      if (!preferred.has(key)) preferred.set(key, type);
    }
    const unavailable = new Set(groups.unavailable);
    this.known = { preferred: [...preferred.values()], byName, unavailable, requestedAt };
    return this.known;
  }

  private async core(): Promise<Served> {
    const response = await this.get('/api', groupDiscovery);
    if (response.kind === 'APIGroupDiscoveryList') return aggregated(response);
    const versions = response.versions ?? ['v1'];
    const lists = versions.map((version) => this.single('', version, `/api/${version}`));
    return { types: (await Promise.all(lists)).flat(), unavailable: [] };
  }

  private async groups(): Promise<Served> {
    const response = await this.get('/apis', groupDiscovery);
    if (response.kind === 'APIGroupDiscoveryList') return aggregated(response);
    const unavailable: string[] = [];
    const found = (response.groups ?? []).map(async ({ name, versions = [], preferredVersion }) => {
      const wanted = new Set([preferredVersion?.version, ...versions.map((served) => served.version)]);
      const lists = [...wanted]
        .filter((version) => version !== undefined)
        // The aggregated API server of one group may fail without affecting the others.
        .map((version) =>
          this.single(name, version, `/apis/${name}/${version}`).catch(() => {
            unavailable.push(`${name}/${version}`);
            return [];
          }),
        );
      return (await Promise.all(lists)).flat();
    });
    return { types: (await Promise.all(found)).flat(), unavailable };
  }

  private async single(group: string, version: string, path: string): Promise<ResourceType[]> {
    if (!isServable({ group, version, plural: 'any' })) return [];
    const { resources = [] } = await this.get(path, resourceList);
    const names = new Set(resources.map(({ name }) => name));
    return resources.flatMap(({ name, kind, namespaced = false, verbs = [], shortNames = [] }) =>
      // Skip subresources, such as `deployments/scale`.
      name.includes('/')
        ? []
        : [
            {
              ...{ group, version, plural: name, kind, namespaced, verbs, shortNames },
              custom: isCustom(group),
              scalable: names.has(`${name}/scale`),
            },
          ],
    );
  }

  private async get<TBody>(path: string, reader: Reader<TBody>): Promise<TBody> {
    const response = await this.connection.send({ path, accept: ACCEPT, deadlineMs: DEADLINE_MS });
    if (response.status !== 200) throw this.toError(response);
    return required(reader, parseJson(response.text), `the response of ${path}`);
  }
}

/** The groups of an unavailable aggregated API server are marked as stale and have no resources. */
function aggregated({ items = [] }: Read<typeof groupDiscovery>): Served {
  const unavailable = items.flatMap(({ metadata, versions = [] }) =>
    versions
      .filter(({ freshness }) => freshness === 'Stale')
      .map(({ version = '' }) => `${metadata?.name ?? ''}/${version}`),
  );
  const types = items.flatMap(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    return versions.flatMap(({ version = '', resources = [] }) =>
      resources.map(({ resource, responseKind, scope, verbs = [], shortNames = [], subresources = [] }) => ({
        group,
        version,
        plural: resource,
        kind: responseKind?.kind ?? resource,
        namespaced: scope === 'Namespaced',
        verbs,
        shortNames,
        custom: isCustom(group),
        scalable: subresources.some(({ subresource }) => subresource === 'scale'),
      })),
    );
  });
  return { types, unavailable };
}

/** The core group has no name. */
function isServable({ group, version, plural }: TypeName): boolean {
  return isTypeName({ group: group || 'core', version, plural });
}

function isCustom(group: string): boolean {
  return !BUILT_IN.has(group);
}

function keyOf({ group, version, plural }: TypeName): string {
  return `${group}/${version}/${plural}`;
}
