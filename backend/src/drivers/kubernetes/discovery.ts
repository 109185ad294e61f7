import type { ApiResponse, ApiConnection } from './api-connection.js';
import type { ResourceType, TypeName } from './resource-api.js';

/** Everything that a group serves in one answer, since Kubernetes 1.27; before, and as a fallback, one by one. */
const ACCEPT = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join();
const DEADLINE_MS = 8000;
/** Types come and go with their definitions, which is seldom. */
const FRESH_MS = 60_000;
/** A type that nobody serves must not be asked for at every keystroke. */
const ASK_AGAIN_MS = 1000;

/** The groups of the API server itself; the rest comes by definitions and by servers behind it. */
const BUILT_IN = new Set(
  [
    ['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy', 'apidiscovery.k8s.io'],
    ['admissionregistration.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io'],
    ['authentication.k8s.io', 'authorization.k8s.io', 'rbac.authorization.k8s.io'],
    ['certificates.k8s.io', 'coordination.k8s.io', 'discovery.k8s.io', 'events.k8s.io'],
    ['flowcontrol.apiserver.k8s.io', 'internal.apiserver.k8s.io', 'networking.k8s.io', 'node.k8s.io'],
    ['resource.k8s.io', 'scheduling.k8s.io', 'storage.k8s.io', 'storagemigration.k8s.io'],
  ].flat(),
);

/** `apidiscovery.k8s.io/v2`, of which `v2beta1` does not differ here. */
interface GroupDiscoveryList {
  kind?: string;
  items?: {
    metadata?: { name?: string };
    /** The preferred one first. */
    versions?: {
      version?: string;
      resources?: {
        resource?: string;
        responseKind?: { kind?: string };
        scope?: string;
        verbs?: string[];
        shortNames?: string[];
      }[];
    }[];
  }[];
}

interface GroupList {
  kind?: string;
  groups?: {
    name?: string;
    versions?: { version?: string }[];
    preferredVersion?: { version?: string };
  }[];
}

interface ResourceList {
  resources?: {
    name?: string;
    kind?: string;
    namespaced?: boolean;
    verbs?: string[];
    shortNames?: string[];
  }[];
}

interface Known {
  /** One of each kind, in its preferred version. */
  preferred: ResourceType[];
  byName: ReadonlyMap<string, ResourceType>;
  askedAt: number;
}

/** What an API server serves, remembered for a minute. */
export class Discovery {
  private known: Known | undefined;
  private asking: Promise<Known> | undefined;

  constructor(
    private readonly connection: ApiConnection,
    /** Turns an answer that refuses into the error for it. */
    private readonly refusal: (answer: ApiResponse) => Error,
  ) {}

  async types(): Promise<ResourceType[]> {
    return (await this.within(FRESH_MS)).preferred;
  }

  async find(name: TypeName): Promise<ResourceType | undefined> {
    const key = keyOf(name);
    return (await this.within(FRESH_MS)).byName.get(key) ?? (await this.within(ASK_AGAIN_MS)).byName.get(key);
  }

  /** The type of a kind, in its preferred version. */
  async findKind(group: string, kind: string): Promise<ResourceType | undefined> {
    const isIt = (type: ResourceType): boolean => type.group === group && type.kind === kind;
    return (
      (await this.within(FRESH_MS)).preferred.find(isIt) ??
      (await this.within(ASK_AGAIN_MS)).preferred.find(isIt)
    );
  }

  private async within(ageMs: number): Promise<Known> {
    if (this.known && performance.now() - this.known.askedAt < ageMs) return this.known;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return await this.asking;
  }

  private async ask(): Promise<Known> {
    const askedAt = performance.now();
    const all = (await Promise.all([this.core(), this.groups()])).flat();
    const byName = new Map(all.map((type) => [keyOf(type), type]));
    const preferred = new Map<string, ResourceType>();
    for (const type of all) {
      const key = `${type.group}/${type.plural}`;
      if (!preferred.has(key)) preferred.set(key, type);
    }
    this.known = { preferred: [...preferred.values()], byName, askedAt };
    return this.known;
  }

  private async core(): Promise<ResourceType[]> {
    const answer = await this.get<GroupDiscoveryList & { versions?: string[] }>('/api');
    if (answer.kind === 'APIGroupDiscoveryList') return aggregated(answer);
    const versions = answer.versions ?? ['v1'];
    return (await Promise.all(versions.map((version) => this.single('', version, `/api/${version}`)))).flat();
  }

  private async groups(): Promise<ResourceType[]> {
    const answer = await this.get<GroupDiscoveryList & GroupList>('/apis');
    if (answer.kind === 'APIGroupDiscoveryList') return aggregated(answer);
    const found = (answer.groups ?? []).map(async ({ name = '', versions = [], preferredVersion }) => {
      const wanted = new Set([preferredVersion?.version, ...versions.map(({ version }) => version)]);
      const lists = [...wanted]
        .filter((version) => version !== undefined)
        // The server behind one group may be gone; the others are served all the same.
        .map((version) => this.single(name, version, `/apis/${name}/${version}`).catch(() => []));
      return (await Promise.all(lists)).flat();
    });
    return (await Promise.all(found)).flat();
  }

  private async single(group: string, version: string, path: string): Promise<ResourceType[]> {
    const { resources = [] } = await this.get<ResourceList>(path);
    return resources.flatMap(({ name = '', kind = '', namespaced = false, verbs = [], shortNames = [] }) =>
      // The others are parts of an object, such as its scale.
      name.includes('/')
        ? []
        : [{ group, version, plural: name, kind, namespaced, verbs, shortNames, custom: isCustom(group) }],
    );
  }

  private async get<Answer>(path: string): Promise<Answer> {
    const answer = await this.connection.send({ path, accept: ACCEPT, deadlineMs: DEADLINE_MS });
    if (answer.status !== 200) throw this.refusal(answer);
    return JSON.parse(answer.text) as Answer;
  }
}

/** A group whose server does not answer is marked as stale there and lists nothing. */
function aggregated({ items = [] }: GroupDiscoveryList): ResourceType[] {
  return items.flatMap(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    return versions.flatMap(({ version = '', resources = [] }) =>
      resources.map(({ resource = '', responseKind, scope, verbs = [], shortNames = [] }) => ({
        group,
        version,
        plural: resource,
        kind: responseKind?.kind ?? resource,
        namespaced: scope === 'Namespaced',
        verbs,
        shortNames,
        custom: isCustom(group),
      })),
    );
  });
}

function isCustom(group: string): boolean {
  return !BUILT_IN.has(group);
}

function keyOf({ group, version, plural }: TypeName): string {
  return `${group}/${version}/${plural}`;
}
