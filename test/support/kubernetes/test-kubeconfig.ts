import { ClusterKubeconfig } from '../../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';

interface Parts {
  name?: string;
  server?: string;
  /** Base64, as everything in `user`. */
  authority?: string;
  user?: Record<string, unknown>;
}

/** A kubeconfig in the shape of kind's, as JSON, which is YAML. */
function kubeconfigText({
  name = 'demo',
  server = 'https://127.0.0.1:6443',
  authority = 'Q0E=',
  user = {},
}: Parts = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': authority } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ name, user }],
    'current-context': name,
  });
}

export function testKubeconfig(parts?: Parts): ClusterKubeconfig {
  return ClusterKubeconfig.parse(kubeconfigText(parts));
}
