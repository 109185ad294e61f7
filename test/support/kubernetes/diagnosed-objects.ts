import type { KubernetesObject } from '../../../backend/src/drivers/kubernetes/index.js';
import { factsOf, type Facts } from '../../../backend/src/modules/diagnosis/facts.js';
import { kubernetesObject } from './scripted-resources.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
export const secondsAgo = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

export const READY = [{ type: 'Ready', status: 'True' }];
export const RUNNING = { state: { running: { startedAt: secondsAgo(3600) } }, ready: true };
export const ended = (exitCode: number, reason = 'Error', seconds = 5): object => ({
  terminated: { exitCode, reason, finishedAt: secondsAgo(seconds) },
});

/** A Pod with one container `web`. */
export function pod(status: object, container?: object, spec: object = {}): KubernetesObject {
  const web = { name: 'web', image: 'shop/web:9', resources: { limits: { memory: '64Mi' } } };
  return kubernetesObject('Pod', 'web-1', {
    namespace: 'shop',
    metadata: { uid: 'web-1' },
    spec: { containers: [web], ...spec },
    status: {
      ...status,
      ...(container && { containerStatuses: [{ name: 'web', restartCount: 0, ...container }] }),
    },
  });
}

export function waiting(reason: string, message: string, more: object = {}): KubernetesObject {
  return pod({ phase: 'Pending' }, { state: { waiting: { reason, message } }, ...more });
}

export function unschedulable(message: string, spec: object = {}): KubernetesObject {
  const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  return pod({ phase: 'Pending', conditions: [refused] }, undefined, spec);
}

export function object(
  kind: string,
  spec: object,
  status: object = {},
  name = kind.toLowerCase(),
): KubernetesObject {
  return kubernetesObject(kind, name, { namespace: 'shop', metadata: { uid: name }, spec, status });
}

export function event(
  of: KubernetesObject,
  reason: string,
  message: string,
  more: object = {},
): KubernetesObject {
  return kubernetesObject('Event', `${of.metadata.name}.${reason}`, {
    namespace: 'shop',
    reason,
    message,
    type: 'Warning',
    count: 4,
    lastTimestamp: secondsAgo(10),
    ...more,
    involvedObject: {
      uid: of.metadata.uid,
      ...('container' in more && { fieldPath: 'spec.containers{web}' }),
    },
  });
}

export function facts(of: KubernetesObject, events: KubernetesObject[] = [], related: Facts[] = []): Facts {
  return factsOf(of, events, NOW, related);
}
