import type { RuntimeDriver } from '../../../drivers/runtime/index.js';

const DEADLINE_MS = 10_000;
/** The journal of systemd, or the file of node images without it. */
const PRINT_LOG =
  'journalctl --no-pager --output=cat --unit=containerd 2>/dev/null || cat /var/log/containerd.log';
/** Containerd continues without its part for Kubernetes, so kubeadm only sees that the kubelet does not start. */
const FAILED_PART = 'failed to load plugin';

/**
 * Why the containerd of a new node does not serve Kubernetes, such as after a wrong patch of its config.
 * @returns undefined if it does, or the node does not respond. Never rejects: the creation has failed anyway.
 */
export async function containerdFailure(
  cluster: string,
  runtime: RuntimeDriver,
): Promise<string | undefined> {
  try {
    for (const node of await runtime.listNodes()) {
      if (node.cluster !== cluster || node.role === 'external-load-balancer') continue;
      const { stdout } = await runtime.execInNode(node.id, ['sh', '-c', PRINT_LOG], DEADLINE_MS);
      // Its last start counts: kind restarts containerd with the patches.
      const line = stdout.split('\n').findLast((one) => one.includes('.cri') && one.includes(FAILED_PART));
      const reason = line
        ?.split(' error="')[1]
        ?.split(/(?<!\\)"/)[0]
        ?.replaceAll('\\"', '"');
      if (reason) return `containerd of ${node.name} does not serve Kubernetes: ${reason}`;
    }
  } catch {
    // The node may have ended.
  }
  return undefined;
}
