import { DomainError } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import { isRecord } from '../../../core/values/index.js';
import {
  groupVersion,
  healthOf,
  isReady,
  type KubernetesObject,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { yaml } from './addon-yaml-process.js';
import type { ReleaseResourceDto, ReleaseServiceDto } from '../common/addon.dto.js';
import { isKept, type RenderedObject } from './split-manifest.js';

const CONCURRENCY = 8;
/** The largest charts have 150 objects. */
const MAX_OBJECTS = 400;

interface ReleaseObjects {
  resources: ReleaseResourceDto[];
  ready: number;
  services: ReleaseServiceDto[];
}

interface FoundResource {
  record: ReleaseResourceDto;
  object: KubernetesObject | undefined;
}

/** Reads the objects of a manifest from the cluster. A repeated read only fetches objects that may have changed. */
export class ReleaseResources {
  private readonly settled = new Map<RenderedObject, FoundResource>();

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
    const found = await mapConcurrently(this.wanted, CONCURRENCY, (object) => this.find(object));
    return {
      resources: found.map(({ record }) => record),
      ready: found.filter(({ record }) => record.present && isReady(record.health)).length,
      services: found.flatMap(({ object }) => servicePorts(object)),
    };
  }

  private async find(wanted: RenderedObject): Promise<FoundResource> {
    const known = this.settled.get(wanted);
    if (known) return known;
    const found = await this.fetch(wanted);
    if (found.record.present && found.record.health === 'none') this.settled.set(wanted, found);
    return found;
  }

  private async fetch(wanted: RenderedObject): Promise<FoundResource> {
    const { group, version } = groupVersion(wanted.apiVersion);
    // The kind may be new: of a CRD that the chart has just installed.
    const type = await this.api.typeOfKind(group, wanted.kind);
    const namespace = type?.namespaced === false ? null : (wanted.namespace ?? this.namespace);
    const record: ReleaseResourceDto = {
      group: group || 'core',
      version: type?.version ?? version,
      plural: type?.plural ?? null,
      kind: wanted.kind,
      namespace,
      name: wanted.name,
      kept: isKept(wanted),
      present: false,
      health: 'failed',
      detail: type ? 'does not exist' : 'the cluster does not serve this kind',
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
      const { health, reason: detail } = healthOf({ object });
      return { record: { ...record, present: true, health, detail }, object };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'cluster_unreachable') throw error;
      const isMissing = error.code === 'resource_not_found' || error.code === 'resource_type_not_found';
      return { record: isMissing ? record : { ...record, detail: error.message }, object: undefined };
    }
  }
}

/** TCP ports of a Service that has a selector. */
function servicePorts(object: KubernetesObject | undefined): ReleaseServiceDto[] {
  if (object?.kind !== 'Service' || object.apiVersion !== 'v1' || !isRecord(object['spec'])) return [];
  const { ports, selector } = object['spec'];
  if (!Array.isArray(ports) || !isRecord(selector)) return [];
  return ports.filter(isRecord).flatMap(({ port, name, protocol = 'TCP' }) =>
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
