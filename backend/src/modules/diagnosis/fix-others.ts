import { hasCode } from '../../core/errors/index.js';
import { specOf, statusOf, type ResourceReference } from '../../drivers/kubernetes/index.js';
import { hasRollout, isPaused, revisionsKeptIn, revisionsOf } from '../resources/index.js';
import { isStuck, phaseOf } from './findings.js';
import { parameter, titleOf, type Fix, type FixPlan, type Situation } from './fix.js';

/** Back to a revision whose Pods are ready, or the newest before one that never became ready. */
export async function rollBack({ workload, api }: Situation): Promise<Fix[]> {
  const { kind = '', metadata } = workload ?? {};
  if (!workload || !hasRollout({ group: 'apps', plural: `${kind.toLowerCase()}s` }) || isPaused(workload)) {
    return [];
  }
  const kept = await api.list(revisionsKeptIn(workload), { namespace: metadata?.namespace ?? '' });
  const [current, ...earlier] = revisionsOf(workload, kept);
  const { readyReplicas, numberReady = readyReplicas ?? 0 } = statusOf(workload);
  // As long as Pods of the current template are ready, it is not the cause.
  if (!current || (current.ready !== false && numberReady > 0)) return [];
  const candidates = earlier.filter(({ ready }) => ready !== false);
  const best = candidates.find(({ ready }) => ready) ?? candidates[0];
  if (!best) return [];
  return [
    {
      code: 'roll_back',
      label: `Roll back to revision ${best.number}`,
      changes: `Pod template of ${titleOf(workload)}`,
      parameters: [
        parameter('revision', `Revision (currently ${current.number})`, String(best.number), {
          ...{ choices: candidates.map(({ number }) => String(number)), only_choices: true },
        }),
      ],
      plan: ({ revision = '' }) => ({ do: 'roll-back', object: workload, revision: Number(revision) }),
    },
  ];
}

/** Deletes a Pod that its kubelet does not end, or that a node refused. */
export function deletePod({ facts: { object, now } }: Situation): Fix[] {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  const isLeft = deletionTimestamp === undefined ? phaseOf(object) === 'Failed' : isStuck(object, now);
  if (object.kind !== 'Pod' || finalizers.length > 0 || !isLeft || specOf(object).nodeName === undefined) {
    return [];
  }
  return [
    {
      code: 'delete_pod',
      label: 'Delete Pod now',
      changes: `${titleOf(object)}, without waiting for its node`,
      parameters: [],
      plan: () => ({ do: 'remove', object }),
    },
  ];
}

/** Creates the namespace that a report names as missing. */
export async function createNamespace(situation: Situation): Promise<Fix[]> {
  const name = missingIn(situation, /\bnamespaces? "([a-z0-9][-a-z0-9]{0,62})" not found/);
  if (name === undefined) return [];
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const fix = { code: 'create_namespace', label: `Create namespace ${name}`, object } as const;
  return await creationOf(situation, fix, {
    group: '',
    version: 'v1',
    plural: 'namespaces',
    namespace: null,
    name,
  });
}

/** Creates the ServiceAccount without which a workload cannot create its Pods. */
export async function createServiceAccount(situation: Situation): Promise<Fix[]> {
  const name = missingIn(situation, /\bserviceaccount "([a-z0-9][-.a-z0-9]{0,252})" not found/);
  const { namespace } = situation.facts.object.metadata;
  if (name === undefined || namespace === undefined) return [];
  const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } };
  const retry = situation.facts.object;
  const fix = {
    code: 'create_service_account',
    label: `Create ServiceAccount ${name}`,
    object,
    retry,
  } as const;
  return await creationOf(situation, fix, {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    namespace,
    name,
  });
}

function missingIn({ cause: { message, evidence } }: Situation, pattern: RegExp): string | undefined {
  for (const text of [message, ...evidence.map((each) => each.text)]) {
    const [, name] = pattern.exec(text) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Nothing if it exists meanwhile. */
async function creationOf(
  { api }: Situation,
  {
    object,
    retry,
    ...fix
  }: Pick<Fix, 'code' | 'label'> & Pick<Extract<FixPlan, { do: 'create' }>, 'object' | 'retry'>,
  reference: ResourceReference,
): Promise<Fix[]> {
  try {
    await api.read(reference);
    return [];
  } catch (error) {
    if (!hasCode(error, 'resource_not_found')) throw error;
    return [
      { ...fix, changes: titleOf(object), parameters: [], plan: () => ({ do: 'create', object, retry }) },
    ];
  }
}
