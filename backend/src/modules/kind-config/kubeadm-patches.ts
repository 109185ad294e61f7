import { recordOf } from '../../core/values/index.js';
import { parseAllYaml, toValue } from '../../core/yaml/index.js';
import type { KindConfig, KindNode } from './kind-config.js';

/** A document of a patch of kubeadm's config, with `kind` and the fields that it sets. */
export type KubeadmPatch = Readonly<Record<string, unknown>>;

/** The patches that kind applies to the kubeadm config of a node, in its order. Invalid ones are left to kind. */
export function kubeadmPatchesOf(config: KindConfig, node: KindNode): KubeadmPatch[] {
  return [config, node].flatMap(({ kubeadmConfigPatches = [], kubeadmConfigPatchesJSON6902 = [] }) => [
    ...kubeadmConfigPatches.flatMap(documentsIn).map(recordOf),
    ...kubeadmConfigPatchesJSON6902.map(recordOf).flatMap(operationsIn),
  ]);
}

/** A value of the last patch that sets it. */
export function patchedValue(
  patches: readonly KubeadmPatch[],
  kind: string,
  path: readonly string[],
): unknown {
  const values = patches
    .filter((patch) => patch['kind'] === kind)
    .map((patch) => path.reduce<unknown>((value, field) => recordOf(value)[field], patch));
  return values.findLast((value) => value !== undefined);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function documentsIn(text: unknown): unknown[] {
  if (typeof text !== 'string') return [];
  const documents = parseAllYaml(text, { uniqueKeys: false });
  return documents.flatMap((document) => (document.errors.length > 0 ? [] : [toValue(document)]));
}

/** Each operation of a JSON patch as a document with one field. An item that it adds to a list is the list. */
function operationsIn({ kind, patch }: Record<string, unknown>): KubeadmPatch[] {
  const operations = documentsIn(patch).flatMap(listOf).map(recordOf);
  return operations.flatMap(({ path, value }) => {
    if (typeof path !== 'string' || value === undefined) return [];
    const set = path
      .split('/')
      .slice(1)
      .reduceRight<unknown>((inner, part) => (/^(-|\d+)$/.test(part) ? [inner] : { [part]: inner }), value);
    return [{ ...recordOf(set), kind }];
  });
}
