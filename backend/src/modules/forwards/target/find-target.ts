import type { PodName, ResourceApi } from '../../../drivers/kubernetes/index.js';
import { typeOf, type ForwardTo } from './forward-kinds.js';
import { findPod } from './pod-choice.js';
import { choosePort, portInPod } from './port-choice.js';

export interface PodPort {
  pod: PodName;
  port: number;
}

/**
 * Finds a Pod and its port for an object, like `kubectl port-forward`.
 * @param preferred the Pod to keep if several are ready
 * @throws DomainError `resource_not_found`, `invalid_input` if the object has no such TCP port, `resource_refused` if it has
 * no ready Pod
 */
export async function findPodPort(api: ResourceApi, to: ForwardTo, preferred?: string): Promise<PodPort> {
  const { namespace } = to;
  const object = await api.read({ ...typeOf(to.plural), namespace, name: to.object });
  const { podPort } = choosePort(to, object);
  const pod = await findPod(api, to, object, preferred);
  return { pod: { namespace, name: pod.metadata.name }, port: portInPod(podPort, pod) };
}
