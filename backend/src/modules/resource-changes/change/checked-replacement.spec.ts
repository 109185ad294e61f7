import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import type { ChangeTarget } from './change-target.js';
import { replaceChecked } from './checked-replacement.js';

function web(resourceVersion: string, generation: number): KubernetesObject {
  return kubernetesObject('Deployment', 'web', {
    metadata: { resourceVersion, generation },
    spec: { image: 'web:2' },
  });
}

describe('replaceChecked', () => {
  let api: ScriptedResources;
  let target: ChangeTarget;
  const rollBack = (stored: KubernetesObject): KubernetesObject => ({ ...stored, spec: { image: 'web:1' } });

  beforeEach(() => {
    api = new ScriptedResources();
    const type = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' };
    const reference = { ...type, namespace: 'shop', name: 'web' };
    target = { api, type, reference } as unknown as ChangeTarget;
    api.replaceWith = (_reference, object) =>
      object.metadata.resourceVersion === api.objects.get('deployments/web')?.metadata.resourceVersion
        ? Promise.resolve({ object, warnings: [] })
        : Promise.reject(new DomainError('resource_conflict', 'It was changed meanwhile.'));
  });

  it('is repeated if only the status has changed, as during a rollout', async () => {
    api.put('deployments', web('8', 2));
    const { outcome, resource_version: version } = await replaceChecked(target, web('7', 2), rollBack, false);
    expect([outcome, version]).toEqual(['configured', '8']);
  });

  it('fails if the spec has changed, or the status changes all the time', async () => {
    api.put('deployments', web('8', 3));
    await expect(replaceChecked(target, web('7', 2), rollBack, false)).rejects.toThrow('changed meanwhile');
    api.put('deployments', web('8', 2));
    api.replaceWith = () => Promise.reject(new DomainError('resource_conflict', 'It was changed meanwhile.'));
    await expect(replaceChecked(target, web('8', 2), rollBack, false)).rejects.toThrow('changed meanwhile');
  });
});
