import { computed, inject, signal, type Signal } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { typeParams } from '../resource-model/resource-address';
import type { Schema } from '../yaml/json-schema';
import { nearest } from '../yaml/nearest';
import type { DocumentHead, DocumentSchema, DocumentSchemas } from '../yaml/yaml-documents';

/** A CRD may have been applied since. */
const FRESH_MS = 10_000;

const STRINGS: Schema = { type: 'object', additionalProperties: { type: 'string' } };
/** Of kinds without a schema. */
const ANY_OBJECT: Schema = {
  type: 'object',
  properties: {
    metadata: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        namespace: { type: 'string' },
        labels: STRINGS,
        annotations: STRINGS,
      },
    },
  },
};

/** The schemas of the kinds that a cluster serves, loaded when a text has one. Requires an injection context. */
export class KindSchemas implements DocumentSchemas {
  private readonly api = inject(Api);
  private readonly failure = signal<ApiProblem | null>(null);
  private types: { key: ClusterKey; at: number; list: Promise<ResourceTypeDto[]> } | undefined;
  /** By runtime, cluster and type. */
  private readonly schemas = new Map<string, Promise<Schema>>();

  /** Why fields are neither completed nor checked; null if they are. */
  readonly problem = computed(() => {
    if (this.key()?.runtime === 'demo') {
      return $localize`The demo has no schemas, so fields are not completed or checked.`;
    }
    const failure = this.failure();
    return failure && $localize`Fields are not completed or checked. ${failure.message}:reason:`;
  });

  /** @param key undefined while the cluster cannot be reached */
  constructor(private readonly key: Signal<ClusterKey | undefined>) {}

  async of(head: DocumentHead): Promise<DocumentSchema | undefined> {
    const key = this.key();
    if (!key) return undefined;
    try {
      const types = await this.typesOf(key, head);
      const { type, warning } = findType(types, head);
      if (warning) return { schema: withHead(ANY_OBJECT, types, head), warning };
      return { schema: withHead(type ? await this.schemaOf(key, type) : ANY_OBJECT, types, head) };
    } catch (thrown) {
      this.failure.set(ApiProblem.of(thrown));
      return undefined;
    }
  }

  private async typesOf(key: ClusterKey, head: DocumentHead): Promise<ResourceTypeDto[]> {
    const known = this.types;
    if (known?.key === key) {
      const list = await known.list;
      if (performance.now() - known.at < FRESH_MS || !findType(list, head).warning) return list;
    }
    const list = this.api.get('/api/v1/clusters/{name}/resources', key);
    this.types = { key, at: performance.now(), list };
    list.catch(() => (this.types = undefined));
    return await list;
  }

  private async schemaOf(key: ClusterKey, type: ResourceTypeDto): Promise<Schema> {
    if (key.runtime === 'demo') return ANY_OBJECT;
    const name = [key.runtime, key.name, type.group, type.version, type.plural].join('/');
    const schema =
      this.schemas.get(name) ??
      this.api.get('/api/v1/clusters/{name}/schemas/{group}/{version}/{plural}', typeParams(key, type));
    this.schemas.set(name, schema);
    try {
      const found = await schema;
      this.failure.set(null);
      return found;
    } catch (thrown) {
      setTimeout(() => this.schemas.delete(name), FRESH_MS);
      this.failure.set(ApiProblem.of(thrown));
      return ANY_OBJECT;
    }
  }
}

/** The type of a document, in its version; a warning if the cluster does not serve it. */
export function findType(
  types: readonly ResourceTypeDto[],
  { apiVersion, kind }: DocumentHead,
): { type?: ResourceTypeDto; warning?: DocumentSchema['warning'] } {
  // A list of other objects.
  if (apiVersion === undefined || kind === undefined || kind === 'List') return {};
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  const ofKind = types.filter((type) => type.kind === kind);
  const type = ofKind.find((each) => each.group === group);
  // Discovery lists the preferred version; others have the same name.
  if (type) return { type: { ...type, version } };
  const message = $localize`The cluster does not serve ${kind}:kind: in ${apiVersion}:version:.`;
  const near = ofKind[0]
    ? apiVersionOf(ofKind[0])
    : nearest(
        kind,
        types.map((each) => each.kind),
      );
  return {
    warning: {
      field: ofKind.length > 0 ? 'apiVersion' : 'kind',
      message:
        near === undefined ? message : $localize`${message}:sentence: Did you mean ${near}:suggestion:?`,
    },
  };
}

/** Offers the versions and kinds that the cluster serves, which match each other. */
function withHead(
  schema: Schema,
  types: readonly ResourceTypeDto[],
  { apiVersion, kind }: DocumentHead,
): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const root = (name !== undefined && schema.$defs?.[name]) || schema;
  const versions = offered(types, (type) => type.kind === kind, apiVersionOf);
  const kinds = offered(
    types,
    (type) => apiVersionOf(type) === apiVersion,
    (type) => type.kind,
  );
  return {
    ...root,
    ...(schema.$defs ? { $defs: schema.$defs } : {}),
    properties: {
      ...root.properties,
      apiVersion: { ...root.properties?.['apiVersion'], type: 'string', examples: versions },
      kind: { ...root.properties?.['kind'], type: 'string', examples: kinds },
    },
  };
}

function offered(
  types: readonly ResourceTypeDto[],
  fits: (type: ResourceTypeDto) => boolean,
  text: (type: ResourceTypeDto) => string,
): string[] {
  const fitting = types.filter(fits);
  return [...new Set((fitting.length > 0 ? fitting : types).map(text))].sort();
}

function apiVersionOf({ group, version }: ResourceTypeDto): string {
  return group === 'core' ? version : `${group}/${version}`;
}
