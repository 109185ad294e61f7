import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, hasCode } from '../../../core/errors/index.js';
import { recordOf } from '../../../core/values/index.js';
import {
  groupVersion,
  type KubernetesObject,
  type ResourceApi,
  type ResourceType,
} from '../../../drivers/kubernetes/index.js';

/** Usually takes less than a second. */
const SERVED_WITHIN_MS = 10_000;
const POLL_INTERVAL_MS = 500;

interface Crd {
  group: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  versions: string[];
}

/** Resolves kinds to types: those that the cluster serves, and those of CRDs in the same request. */
export class ServedKinds {
  private readonly defined: Crd[];
  private readonly awaited = new Set<string>();

  constructor(
    private readonly api: ResourceApi,
    objects: readonly KubernetesObject[],
    private readonly dryRun: boolean,
  ) {
    this.defined = objects.flatMap(crdOf);
  }

  /**
   * `served` is false for a kind whose CRD is part of a dry run.
   * @throws DomainError `resource_type_not_found`
   */
  async find({ apiVersion, kind }: KubernetesObject): Promise<{ type: ResourceType; served: boolean }> {
    const { group, version } = groupVersion(apiVersion);
    const known = await this.api.typeOfKind(group, kind);
    if (known?.version === version) return { type: known, served: true };
    const defined = this.defined.find(
      (definition) =>
        definition.group === group && definition.kind === kind && definition.versions.includes(version),
    );
    const plural = known?.plural ?? defined?.plural;
    if (plural === undefined) throw notServed(kind, apiVersion);
    try {
      return { type: await this.whenServed({ group, version, plural }, defined), served: true };
    } catch (error) {
      if (!hasCode(error, 'resource_type_not_found')) throw error;
      if (!defined) throw notServed(kind, apiVersion);
      if (!this.dryRun) throw error;
      const { namespaced } = defined;
      return {
        type: { group, version, plural, kind, namespaced, verbs: [], shortNames: [], custom: true },
        served: false,
      };
    }
  }

  /** Waits once for a kind whose CRD was just applied. */
  private async whenServed(
    name: { group: string; version: string; plural: string },
    defined: Crd | undefined,
  ): Promise<ResourceType> {
    const key = `${name.group}/${name.version}/${name.plural}`;
    const timeout = defined && !this.dryRun && !this.awaited.has(key) ? SERVED_WITHIN_MS : 0;
    this.awaited.add(key);
    const deadline = performance.now() + timeout;
    for (;;) {
      try {
        return await this.api.type(name);
      } catch (error) {
        const missing = hasCode(error, 'resource_type_not_found');
        if (!missing || performance.now() > deadline) throw error;
      }
      await delay(POLL_INTERVAL_MS);
    }
  }
}

function crdOf({ kind, spec }: KubernetesObject): Crd[] {
  if (kind !== 'CustomResourceDefinition') return [];
  const { group, scope, names, versions } = recordOf(spec);
  const { kind: defined, plural } = recordOf(names);
  if (typeof group !== 'string' || typeof defined !== 'string' || typeof plural !== 'string') return [];
  return [
    {
      group,
      kind: defined,
      plural,
      namespaced: scope === 'Namespaced',
      versions: (Array.isArray(versions) ? versions : []).flatMap(
        (version: { name?: unknown; served?: unknown } | null) =>
          typeof version?.name === 'string' && version.served !== false ? [version.name] : [],
      ),
    },
  ];
}

function notServed(kind: string, apiVersion: string): DomainError {
  return new DomainError(
    'resource_type_not_found',
    `The cluster does not serve ${kind} (${apiVersion}). Check the version, and that its CRD is installed.`,
  );
}
