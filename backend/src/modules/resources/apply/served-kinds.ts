import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceApi, ResourceType } from '../../../drivers/kubernetes/index.js';

/** A definition is served within a second of its creation. */
const SERVED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 500;

interface Definition {
  group: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  versions: string[];
}

/** Finds the types of objects by their kind: those that the cluster serves, and those that the same text defines. */
export class ServedKinds {
  private readonly defined: Definition[];
  private readonly looked = new Set<string>();

  constructor(
    private readonly api: ResourceApi,
    objects: readonly KubernetesObject[],
    private readonly dryRun: boolean,
  ) {
    this.defined = objects.flatMap(definitionOf);
  }

  /**
   * `served` is false for a kind whose definition was not applied because this is a dry run.
   * @throws DomainError `resource_type_not_found`
   */
  async find({ apiVersion, kind }: KubernetesObject): Promise<{ type: ResourceType; served: boolean }> {
    const [first = '', second] = apiVersion.split('/');
    const [group, version] = second === undefined ? ['', first] : [first, second];
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
      if (!(error instanceof DomainError) || error.code !== 'resource_type_not_found') throw error;
      if (!defined) throw notServed(kind, apiVersion);
      if (!this.dryRun) throw error;
      const { namespaced } = defined;
      return {
        type: { group, version, plural, kind, namespaced, verbs: [], shortNames: [], custom: true },
        served: false,
      };
    }
  }

  /** Waits for a kind that was defined a moment ago, once. */
  private async whenServed(
    name: { group: string; version: string; plural: string },
    defined: Definition | undefined,
  ): Promise<ResourceType> {
    const key = `${name.group}/${name.version}/${name.plural}`;
    const patience = defined && !this.dryRun && !this.looked.has(key) ? SERVED_WITHIN_MS : 0;
    this.looked.add(key);
    const deadline = performance.now() + patience;
    for (;;) {
      try {
        return await this.api.type(name);
      } catch (error) {
        const missing = error instanceof DomainError && error.code === 'resource_type_not_found';
        if (!missing || performance.now() > deadline) throw error;
      }
      await delay(LOOK_EVERY_MS);
    }
  }
}

function definitionOf({ kind, spec }: KubernetesObject): Definition[] {
  if (kind !== 'CustomResourceDefinition') return [];
  const { group, scope, names, versions } = (spec ?? {}) as {
    group?: unknown;
    scope?: unknown;
    names?: { kind?: unknown; plural?: unknown };
    versions?: unknown;
  };
  if (typeof group !== 'string' || typeof names?.kind !== 'string' || typeof names.plural !== 'string') {
    return [];
  }
  return [
    {
      group,
      kind: names.kind,
      plural: names.plural,
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
    `The cluster serves no ${kind} of ${apiVersion}. Is its definition installed, and the version right?`,
  );
}
