import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { OpenApiDocument, ResourceType, TypeName } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { schemas } from './schema-process.js';

/** The document of the core group has 1.5 MB. Those of CRDs can be larger. */
const MAX_DOCUMENT = 20_000_000;
/** A schema of Kubernetes has up to 200 kB. */
const MAX_CACHED = 32;

@Injectable()
export class SchemasService {
  /** By cluster, kind and hash of the document; the most recently used last. */
  private readonly cache = new Map<string, Promise<string>>();

  /**
   * @returns the JSON Schema of a kind, as JSON
   * @throws DomainError `resource_type_not_found`, `schema_unavailable`, or as `ResourceApi`
   */
  async read({ cluster, api }: OpenCluster, name: TypeName): Promise<string> {
    const type = await api.type(name);
    const document = await api.openApi(type);
    if (document.hash === '') return await load(document, type);
    const key = JSON.stringify([
      [cluster.runtime, cluster.name, cluster.created_at],
      [type.group, type.version, type.kind],
      document.hash,
    ]);
    const schema = this.cache.get(key) ?? load(document, type);
    this.cache.delete(key);
    this.cache.set(key, schema);
    void schema.catch(() => this.cache.delete(key));
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= MAX_CACHED) break;
      this.cache.delete(oldest);
    }
    return await schema;
  }
}

async function load(document: OpenApiDocument, { group, version, kind }: ResourceType): Promise<string> {
  const text = await document.read();
  if (text.length > MAX_DOCUMENT) {
    throw new DomainError(
      'schema_unavailable',
      `The cluster publishes more than ${MAX_DOCUMENT / 1_000_000} MB of schemas with ${kind}. Slipway does not read them.`,
    );
  }
  const schema = await schemas.reduceSchema(text, { group, version, kind });
  if (schema !== null) return schema;
  throw new DomainError(
    'schema_unavailable',
    `The cluster publishes no schema of ${kind}. Its CRD may have none.`,
  );
}
