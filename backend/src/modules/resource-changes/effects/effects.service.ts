import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import {
  nullIfGone,
  specOf,
  type KubernetesObject,
  type ResourceApi,
  type ResourceType,
} from '../../../drivers/kubernetes/index.js';
import { warningsOf } from '../change/change-warnings.js';
import { replicaWarnings } from '../change/replica-warnings.js';
import {
  ClusterResources,
  referenceTo,
  replicasOf,
  typeName,
  type TypeParameters,
} from '../../resources/index.js';
import { restartOutcome } from '../pods/restart-outcome.js';
import {
  effectOfDeletion,
  effectOfRestart,
  effectOfScale,
  type Effect,
  type EffectContext,
} from './effect-of.js';
import type { EffectDto, EffectsDto } from './effects.dto.js';

const CONCURRENT_READS = 8;

/** Previews the effect of a restart, a scale or a deletion on each of several objects. Changes nothing. */
@Injectable()
export class EffectsService {
  constructor(private readonly resources: ClusterResources) {}

  /** @throws DomainError if the cluster is unreachable or does not serve the type */
  async find(
    cluster: string,
    runtime: string | undefined,
    parameters: TypeParameters,
    request: EffectsDto,
  ): Promise<EffectDto[]> {
    const { api } = await this.resources.open(cluster, runtime);
    const type = await api.type(typeName(parameters));
    const effects: EffectDto[] = [];
    await mapConcurrently([...request.objects.entries()], CONCURRENT_READS, async ([index, object]) => {
      const { name, namespace } = object;
      const reference = referenceTo(type, name, namespace);
      const found = await api.read(reference).catch(nullIfGone);
      const known: Effect =
        found === null
          ? { possible: false, sentence: 'It no longer exists.', loss: false }
          : await effectOf(api, type, { found, reference, request });
      const scaled = found !== null && request.action === 'scale' && known.possible;
      effects[index] = {
        namespace: reference.namespace,
        name,
        possible: known.possible,
        effect: known.sentence,
        loss: known.loss,
        warnings: [
          ...(scaled ? await replicaWarnings({ api, reference }, found) : []),
          ...warningsOf(reference).filter((warning) => !known.sentence.includes(warning)),
        ],
      };
    });
    return effects;
  }
}

async function effectOf(
  api: ResourceApi,
  type: ResourceType,
  {
    found,
    reference,
    request: { action, replicas = 0 },
  }: { found: KubernetesObject; reference: ReturnType<typeof referenceTo>; request: EffectsDto },
): Promise<Effect> {
  if (action === 'scale') return effectOfScale(type, await replicasOf(api, type, reference, found), replicas);
  const context = await contextOf(api, type, found);
  return action === 'restart'
    ? effectOfRestart(type, found, context)
    : effectOfDeletion(type, reference, found, context);
}

async function contextOf(
  api: ResourceApi,
  { group, plural }: ResourceType,
  found: KubernetesObject,
): Promise<EffectContext> {
  if (group === '' && plural === 'pods') return { outcome: await restartOutcome(api, found) };
  if (group !== '' || plural !== 'persistentvolumeclaims') return {};
  const { volumeName } = specOf(found);
  if (volumeName === undefined) return {};
  const volumes = { group: '', version: 'v1', plural: 'persistentvolumes', namespace: null };
  // Without it, the warning about its data remains.
  const volume = await api.read({ ...volumes, name: volumeName }).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });
  return volume ? { volume } : {};
}
