import { recordOf } from '../../core/values/index.js';
import { quantityOf, specOf, statusOf, type KubernetesObject } from '../../drivers/kubernetes/index.js';
import { COUNTED_KINDS, phaseOf } from './findings.js';
import { parameter, titleOf, type Fix, type Situation } from './fix.js';
import { amountProblem, cpuText, memoryText } from './fix-resources.js';

const STORAGE_CLASSES = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' };
const QUOTAS = { group: '', version: 'v1', plural: 'resourcequotas' };
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
/** In the words of the API server, which names what exceeds the quota only. */
const EXCEEDED = /exceeded quota: ([^,:\s]{1,253}), requested: (\S{1,500}), used: (\S{1,500}), limited: /;

/**
 * Creates the StorageClass that a claim names, as the default class of the cluster: the class of a claim cannot be changed,
 * and manifests for other clusters name theirs.
 */
export async function createStorageClass({ facts: { object, related }, api }: Situation): Promise<Fix[]> {
  const classes = await api.list(STORAGE_CLASSES);
  const standard = classes.find(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true');
  const wanted = [object, ...related.map((each) => each.object)]
    .filter((each) => each.kind === 'PersistentVolumeClaim' && phaseOf(each) !== 'Bound')
    .flatMap((claim) => specOf(claim).storageClassName ?? [])
    .find((name) => name !== '' && !classes.some(({ metadata }) => metadata.name === name));
  if (!standard || wanted === undefined) return [];
  return [
    {
      code: 'create_storage_class',
      label: 'Create StorageClass',
      changes: `StorageClass ${wanted}, which provides the same as ${standard.metadata.name}`,
      parameters: [],
      plan: () => ({
        do: 'create',
        object: {
          ...standard,
          apiVersion: 'storage.k8s.io/v1',
          kind: 'StorageClass',
          metadata: { name: wanted },
        },
      }),
    },
  ];
}

/** Raises a ResourceQuota so far that all Pods of the object can be created. */
export async function raiseQuota({ facts: { object }, cause, api }: Situation): Promise<Fix[]> {
  const [, name = '', requested = '', used = ''] =
    cause.evidence.map(({ text }) => EXCEEDED.exec(text)).find((found) => found !== null) ?? [];
  const { namespace } = object.metadata;
  if (name === '' || namespace === undefined) return [];
  const quota = { ...(await api.read({ ...QUOTAS, namespace, name })), kind: 'ResourceQuota' };
  const hard = hardOf(quota);
  const lacking = COUNTED_KINDS.includes(object.kind)
    ? Math.max(1, (specOf(object).replicas ?? 1) - (statusOf(object).replicas ?? 0))
    : 1;
  const inUse = amountsIn(used);
  const parameters = [...amountsIn(requested)].flatMap(([resource, amount]) => {
    const current = hard[resource];
    const needed = quantityOf(inUse.get(resource) ?? '0') + lacking * quantityOf(amount);
    // Otherwise it was raised meanwhile.
    if (typeof current !== 'string' || quantityOf(current) >= needed) return [];
    const text = resource.endsWith('cpu') ? cpuText(Math.ceil(needed * 1000)) : memoryText(needed);
    return [parameter(resource, `${resource} (currently ${current})`, text, { check: amountProblem })];
  });
  if (parameters.length === 0) return [];
  return [
    {
      code: 'raise_quota',
      label: 'Raise quota',
      changes: `spec.hard of ${titleOf(quota)}`,
      parameters,
      plan: (values) => ({
        do: 'replace',
        object: quota,
        change: (stored) => ({
          ...stored,
          spec: { ...recordOf(stored['spec']), hard: { ...hardOf(stored), ...values } },
        }),
        done: `Set ${Object.entries(values)
          .map(([resource, amount]) => `${resource} to ${amount}`)
          .join(', ')}.`,
        retry: object,
      }),
    },
  ];
}

function hardOf(quota: KubernetesObject): Record<string, unknown> {
  return recordOf(recordOf(quota['spec'])['hard']);
}

/** @param text such as `pods=1,requests.cpu=500m` */
function amountsIn(text: string): Map<string, string> {
  return new Map(
    text.split(',').map((each) => {
      const [resource = '', amount = ''] = each.split('=');
      return [resource, amount];
    }),
  );
}
