import { recordOf } from '../../core/values/index.js';
import { specOf, statusOf, type KubernetesObject } from '../../drivers/kubernetes/index.js';

/** Opens the files of a target that runs as another user, at `/proc/1/root`. `kubectl debug` adds it, too. */
const TRACE = 'SYS_PTRACE';
/** A user other than root, as many images without a shell have it. */
const NONROOT = 65532;
/** Fields of a target that a debug container takes over. It needs no privileges to be beside one that has them. */
const SHARED = [
  'allowPrivilegeEscalation',
  'appArmorProfile',
  'capabilities',
  'runAsGroup',
  'runAsNonRoot',
  'runAsUser',
  'seLinuxOptions',
  'seccompProfile',
];

/**
 * Security contexts for a debug container: one with access to processes of other users, and one that every policy allows
 * which allows the target. As the user of the target, a container may read the files of its processes. Fields of the Pod are
 * inherited.
 */
export function debugContexts(pod: KubernetesObject, target: string): object[] {
  const { securityContext: ofPod, initContainers = [], containers = [] } = specOf(pod);
  const found = [...containers, ...initContainers].find(({ name }) => name === target);
  const ofTarget = recordOf(found?.securityContext);
  const shared = Object.fromEntries(Object.entries(ofTarget).filter(([field]) => SHARED.includes(field)));
  const { runAsUser, runAsNonRoot } = { ...recordOf(ofPod), ...shared };
  const user = runAsUser === undefined ? userOfImage(pod, target) : {};
  // The debug image may start as root, too.
  const nonRoot = runAsNonRoot === true && runAsUser === undefined ? { runAsUser: NONROOT, ...user } : {};
  const capabilities = recordOf(shared['capabilities']);
  const added: unknown = capabilities['add'];
  return [
    {
      ...shared,
      ...nonRoot,
      capabilities: { ...capabilities, add: [...(Array.isArray(added) ? added.map(String) : []), TRACE] },
    },
    { ...shared, readOnlyRootFilesystem: ofTarget['readOnlyRootFilesystem'], ...user, ...nonRoot },
  ];
}

/** As the node reports it, since Kubernetes 1.31 and with a runtime that tells it. */
function userOfImage(pod: KubernetesObject, target: string): { runAsUser?: number; runAsGroup?: number } {
  const { containerStatuses = [], initContainerStatuses = [] } = statusOf(pod);
  const status = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === target);
  const { uid, gid } = status?.user?.linux ?? {};
  return {
    ...(uid === undefined ? {} : { runAsUser: uid }),
    ...(gid === undefined ? {} : { runAsGroup: gid }),
  };
}
