import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import { parseJson } from '../../../backend/src/core/parsing/json.js';
import type { AccessRules } from '../../../backend/src/drivers/kubernetes/access-rules.js';
import type { KubernetesObject } from '../../../backend/src/drivers/kubernetes/object-fields.js';
import {
  ResourceApi,
  type ExecOptions,
  type OpenApiDocument,
  type PodName,
  type ResourceReference,
  type ResourceTable,
  type ResourceType,
  type ResourceUsage,
  type TableQuery,
  type TypeName,
  type WatchEnding,
  type WriteOptions,
  type WrittenObject,
} from '../../../backend/src/drivers/kubernetes/resource-api.js';
import type { RunningProgram } from '../../../backend/src/drivers/runtime/index.js';

/** An object with the fewest fields that a test needs. */
export function kubernetesObject(
  kind: string,
  name: string,
  {
    apiVersion = 'v1',
    namespace,
    metadata = {},
    ...more
  }: { apiVersion?: string; namespace?: string; metadata?: object } & Record<string, unknown> = {},
): KubernetesObject {
  const place = namespace === undefined ? {} : { namespace };
  return { apiVersion, kind, metadata: { name, uid: `uid-of-${name}`, ...place, ...metadata }, ...more };
}

/** The reference by which a controller owns something. */
export function controlledBy(kind: string, name: string, apiVersion = 'apps/v1'): object {
  return { ownerReferences: [{ apiVersion, kind, name, uid: `uid-of-${name}`, controller: true }] };
}

type Write = (
  reference: ResourceReference,
  object: KubernetesObject,
  dryRun: boolean,
) => Promise<WrittenObject>;

/** A cluster with the objects of a test. Calls that the test does not script fail. */
export class ScriptedResources extends ResourceApi {
  /** By plural and name. */
  readonly objects = new Map<string, KubernetesObject>();
  served: ResourceType[] = [];
  readonly patched: { reference: ResourceReference; change: unknown }[] = [];
  evictWith: (pod: PodName) => Promise<{ blocked: string | null }> = unscripted;
  applyWith: Write = unscripted;
  replaceWith: Write = unscripted;
  tableWith: (type: TypeName) => Promise<ResourceTable> = unscripted;
  execWith: (pod: PodName, options: ExecOptions) => Promise<RunningProgram> = unscripted;

  put(plural: string, ...objects: KubernetesObject[]): void {
    for (const object of objects) this.objects.set(`${plural}/${object.metadata.name}`, object);
  }

  override types(): Promise<ResourceType[]> {
    return Promise.resolve(this.served);
  }

  override type(name: TypeName): Promise<ResourceType> {
    const found = this.served.find(
      ({ group, version, plural }) =>
        group === name.group && version === name.version && plural === name.plural,
    );
    if (found) return Promise.resolve(found);
    return Promise.reject(new DomainError('resource_type_not_found', `No ${name.plural} are served.`));
  }

  override typeOfKind(group: string, kind: string): Promise<ResourceType | undefined> {
    return Promise.resolve(this.served.find((type) => type.group === group && type.kind === kind));
  }

  override access(): Promise<AccessRules> {
    return unscripted();
  }

  override openApi(): Promise<OpenApiDocument> {
    return unscripted();
  }

  override read({ plural, name }: ResourceReference): Promise<KubernetesObject> {
    const found = this.objects.get(`${plural}/${name}`);
    // As JSON from a server. Under Jest, a structured clone has prototypes of another realm and equals no object.
    if (found) return Promise.resolve(parseJson(JSON.stringify(found)) as KubernetesObject);
    return Promise.reject(new DomainError('resource_not_found', `There is no ${name}.`));
  }

  override list({ plural }: TypeName, { fieldSelector }: TableQuery = {}): Promise<KubernetesObject[]> {
    const [, node] = /^spec\.nodeName=(.*)$/.exec(fieldSelector ?? '') ?? [];
    const found = [...this.objects]
      .filter(([key]) => key.startsWith(`${plural}/`))
      .map(([, object]) => object);
    return Promise.resolve(
      node === undefined
        ? found
        : found.filter(({ spec }) => (spec as { nodeName?: string } | undefined)?.nodeName === node),
    );
  }

  override patch(
    reference: ResourceReference,
    _type: string,
    change: unknown,
    { dryRun = false }: WriteOptions = {},
  ): Promise<WrittenObject> {
    const stored = this.objects.get(`${reference.plural}/${reference.name}`);
    if (!stored) return unscripted();
    if (dryRun) return Promise.resolve({ object: stored, warnings: [] });
    this.patched.push({ reference, change });
    const { spec } = change as { spec: object };
    stored['spec'] = { ...(stored['spec'] as object | undefined), ...spec };
    return Promise.resolve({ object: stored, warnings: [] });
  }

  override apply(
    reference: ResourceReference,
    object: KubernetesObject,
    { dryRun = false }: { dryRun?: boolean } = {},
  ): Promise<WrittenObject> {
    return this.applyWith(reference, object, dryRun);
  }

  override evict(pod: PodName): Promise<{ blocked: string | null }> {
    return this.evictWith(pod);
  }

  override table(type: TypeName): Promise<ResourceTable> {
    return this.tableWith(type);
  }

  override watch(): Promise<WatchEnding> {
    return unscripted();
  }

  override replace(
    reference: ResourceReference,
    object: KubernetesObject,
    { dryRun = false }: { dryRun?: boolean } = {},
  ): Promise<WrittenObject> {
    return this.replaceWith(reference, object, dryRun);
  }

  override remove(): Promise<{ gone: boolean }> {
    return unscripted();
  }

  override forwardPort(): Promise<never> {
    return unscripted();
  }

  override exec(pod: PodName, options: ExecOptions): Promise<RunningProgram> {
    return this.execWith(pod, options);
  }

  override usage(): Promise<ResourceUsage | null> {
    return unscripted();
  }
}

function unscripted(): Promise<never> {
  return Promise.reject(new Error('the test did not script this'));
}
