import { flag, list, record, word } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { nullIfGone, type KubernetesObject } from '../../drivers/kubernetes/index.js';
import { parameter, titleOf, type Change, type Fix, type Situation } from './fix.js';

type Kind = 'ConfigMap' | 'Secret';

const PLURALS = { ConfigMap: 'configmaps', Secret: 'secrets' } as const;
/** Kubernetes creates it in each namespace. */
const OF_KUBERNETES = 'kube-root-ca.crt';

const named = record({ name: word, optional: flag });
const keyed = record({ name: word, key: word, optional: flag });
const items = list(record({ key: word }));
const container = record({
  env: list(record({ valueFrom: record({ configMapKeyRef: keyed, secretKeyRef: keyed }) })),
  envFrom: list(record({ configMapRef: named, secretRef: named })),
});
const source = record({
  configMap: record({ name: word, items, optional: flag }),
  secret: record({ name: word, secretName: word, items, optional: flag }),
});
const pod = record({
  containers: list(container),
  initContainers: list(container),
  volumes: list(
    record({
      ...{ configMap: record({ name: word, items, optional: flag }) },
      ...{ secret: record({ secretName: word, items, optional: flag }) },
      projected: record({ sources: list(source) }),
    }),
  ),
});

/** The keys that a Pod needs of each ConfigMap or Secret. */
export function referencesOf(object: KubernetesObject, kind: Kind): Map<string, Set<string>> {
  const { containers = [], initContainers = [], volumes = [] } = pod(object['spec']) ?? {};
  const found = new Map<string, Set<string>>();
  const add = (
    reference: { name?: string; optional?: boolean } | undefined,
    keys: readonly (string | undefined)[],
  ): void => {
    const { name, optional = false } = reference ?? {};
    if (name === undefined || name === OF_KUBERNETES || optional) return;
    const known = found.get(name) ?? new Set();
    for (const key of keys) if (key !== undefined) known.add(key);
    found.set(name, known);
  };
  for (const { env = [], envFrom = [] } of [...initContainers, ...containers]) {
    for (const { valueFrom } of env) {
      const reference = kind === 'Secret' ? valueFrom?.secretKeyRef : valueFrom?.configMapKeyRef;
      add(reference, [reference?.key]);
    }
    for (const { secretRef, configMapRef } of envFrom) add(kind === 'Secret' ? secretRef : configMapRef, []);
  }
  const mounted = [...volumes, ...volumes.flatMap(({ projected }) => projected?.sources ?? [])];
  for (const { configMap, secret } of mounted) {
    const reference =
      kind === 'ConfigMap'
        ? configMap
        : secret && { ...secret, name: secret.secretName ?? ('name' in secret ? secret.name : undefined) };
    add(reference, reference?.items?.map(({ key }) => key) ?? []);
  }
  return found;
}

/** Creates what a Pod refers to and does not exist, or adds the keys that it lacks. */
export async function createReferenced(kind: Kind, { facts, api }: Situation): Promise<Fix[]> {
  const { namespace = '' } = facts.object.metadata;
  const type = { group: '', version: 'v1', plural: PLURALS[kind] };
  const fixes = await Promise.all(
    [...referencesOf(facts.object, kind)].map(async ([name, keys]) => {
      const stored = await api.read({ ...type, namespace, name }).catch(nullIfGone);
      const known = { ...recordOf(stored?.['data']), ...recordOf(stored?.['binaryData']) };
      const lacking = [...keys].filter((key) => !Object.hasOwn(known, key));
      return stored && lacking.length === 0 ? [] : [offer(kind, stored, lacking, { namespace, name })];
    }),
  );
  return fixes.flat();
}

function offer(
  kind: Kind,
  stored: KubernetesObject | null,
  lacking: readonly string[],
  metadata: { namespace: string; name: string },
): Fix {
  const isSecret = kind === 'Secret';
  const created = { apiVersion: 'v1', kind, metadata, ...(isSecret && { type: 'Opaque' }) };
  const what =
    lacking.length === 0 ? 'without keys: the Pod refers to it as a whole' : `with ${lacking.join(', ')}`;
  const change = (values: Readonly<Record<string, string>>): Change => {
    const added = lacking.map((key) => {
      const value = values[key] ?? '';
      return [key, isSecret ? Buffer.from(value).toString('base64') : value];
    });
    return (now) => ({ ...now, data: { ...recordOf(now['data']), ...Object.fromEntries(added) } });
  };
  return {
    code: isSecret ? 'create_secret' : 'create_config_map',
    label: stored ? `Add ${lacking.length === 1 ? 'key' : 'keys'} to ${kind}` : `Create ${kind}`,
    changes: `${titleOf(stored ?? created)}, ${what}`,
    parameters: lacking.map((key) => parameter(key, `Value of ${key}`, '', { secret: isSecret })),
    plan: (values) =>
      stored
        ? { do: 'replace', object: stored, change: change(values), done: `Added ${lacking.join(', ')}.` }
        : { do: 'create', object: change(values)(created) },
  };
}
