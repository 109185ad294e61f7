import { nullIfGone, specOf, statusOf } from '../../drivers/kubernetes/index.js';
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
  const label = `Create namespace ${name}`;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  return await creationOf(situation, { code: 'create_namespace', label }, { do: 'create', object });
}

/** Creates the ServiceAccount without which a workload cannot create its Pods. */
export async function createServiceAccount(situation: Situation): Promise<Fix[]> {
  const name = missingIn(situation, /\bserviceaccount "([a-z0-9][-.a-z0-9]{0,252})" not found/);
  const { object: retry } = situation.facts;
  const { namespace } = retry.metadata;
  if (name === undefined || namespace === undefined) return [];
  const label = `Create ServiceAccount ${name}`;
  const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } };
  return await creationOf(
    situation,
    { code: 'create_service_account', label },
    { do: 'create', object, retry },
  );
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
  fix: Pick<Fix, 'code' | 'label'>,
  plan: Extract<FixPlan, { do: 'create' }>,
): Promise<Fix[]> {
  const { kind, metadata } = plan.object;
  const { namespace = null, name } = metadata;
  const type = { group: '', version: 'v1', plural: `${kind.toLowerCase()}s` };
  if (await api.read({ ...type, namespace, name }).catch(nullIfGone)) return [];
  return [{ ...fix, changes: titleOf(plan.object), parameters: [], plan: () => plan }];
}
