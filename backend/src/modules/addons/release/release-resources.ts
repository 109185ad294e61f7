import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceApi, ResourceType } from '../../../drivers/kubernetes/index.js';
import { isMap } from '../../../drivers/package-manager/index.js';
import { yaml } from '../addon-yaml.js';
import type { ReleaseResourceDto, ReleaseServiceDto } from '../addon.dto.js';
import { healthOf, isReady, takesTime } from './object-health.js';
import { groupOf, isKept, type RenderedObject } from './split-manifest.js';

/** Objects that are asked at a time: the API server serves others too. */
const AT_ONCE = 8;
/** The largest charts have a hundred and fifty. */
const MAX_OBJECTS = 400;

/** The objects of a release as the cluster has them. */
export interface ReleaseObjects {
  resources: ReleaseResourceDto[];
  ready: number;
  services: ReleaseServiceDto[];
}

interface Known {
  record: Pick<ReleaseResourceDto, keyof ReleaseResourceDto>;
  object: KubernetesObject | undefined;
}

/** Looks up what a manifest says is there; asked again, it asks only for what may have changed. */
export class ReleaseResources {
  private readonly done = new Map<number, Known>();

  private constructor(
    private readonly api: ResourceApi,
    private readonly namespace: string,
    private readonly wanted: readonly RenderedObject[],
  ) {}

  static async open(api: ResourceApi, namespace: string, manifest: string): Promise<ReleaseResources> {
    const wanted = await yaml.splitManifest(manifest);
    return new ReleaseResources(api, namespace, wanted.slice(0, MAX_OBJECTS));
  }

  get total(): number {
    return this.wanted.length;
  }

  async read(): Promise<ReleaseObjects> {
    const types = await this.api.types();
    const found: Known[] = [];
    for (let from = 0; from < this.wanted.length; from += AT_ONCE) {
      found.push(
        ...(await Promise.all(
          this.wanted
            .slice(from, from + AT_ONCE)
            .map((object, index) => this.lookAt(object, from + index, types)),
        )),
      );
    }
    return {
      resources: found.map(({ record }) => record),
      ready: found.filter(({ record }) => record.present && isReady(record)).length,
      services: found.flatMap(({ object }) => servicePorts(object)),
    };
  }

  private async lookAt(
    wanted: RenderedObject,
    index: number,
    types: readonly ResourceType[],
  ): Promise<Known> {
    const known = this.done.get(index);
    if (known) return known;
    const looked = await this.lookUp(wanted, types);
    const settled = looked.record.present && !takesTime(wanted.kind);
    if (settled) this.done.set(index, looked);
    return looked;
  }

  private async lookUp(wanted: RenderedObject, types: readonly ResourceType[]): Promise<Known> {
    const group = groupOf(wanted.apiVersion);
    const version = wanted.apiVersion.split('/').at(-1) ?? '';
    const ofKind = types.filter((type) => type.group === group && type.kind === wanted.kind);
    const type = ofKind.find((one) => one.version === version) ?? ofKind[0];
    const namespace = type?.namespaced === false ? null : (wanted.namespace ?? this.namespace);
    const record: Known['record'] = {
      group: group || 'core',
      version: type?.version ?? version,
      plural: type?.plural ?? null,
      kind: wanted.kind,
      namespace,
      name: wanted.name,
      kept: isKept(wanted),
      present: false,
      health: 'failed',
      detail: type ? 'is not there' : 'the cluster does not serve its kind',
    };
    if (!type) return { record, object: undefined };
    try {
      const object = await this.api.read({
        group,
        version: type.version,
        plural: type.plural,
        namespace,
        name: wanted.name,
      });
      return { record: { ...record, present: true, ...healthOf(object) }, object };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'cluster_unreachable') throw error;
      const gone = error.code === 'resource_not_found' || error.code === 'resource_type_not_found';
      return { record: gone ? record : { ...record, detail: error.message }, object: undefined };
    }
  }
}

/** TCP ports of a Service, where pods stand behind it. */
function servicePorts(object: KubernetesObject | undefined): ReleaseServiceDto[] {
  if (object?.kind !== 'Service' || object.apiVersion !== 'v1' || !isMap(object['spec'])) return [];
  const { ports, selector } = object['spec'];
  if (!Array.isArray(ports) || !isMap(selector)) return [];
  return (ports as Record<string, unknown>[]).flatMap(({ port, name, protocol = 'TCP' }) =>
    typeof port === 'number' && protocol === 'TCP'
      ? [
          {
            service: object.metadata.name,
            namespace: object.metadata.namespace ?? '',
            port,
            port_name: typeof name === 'string' ? name : null,
          },
        ]
      : [],
  );
}
