import type { ClusterTarget } from '../../../backend/src/drivers/kubernetes/index.js';
import type { Credentials } from './certificates.js';
import type { ScriptedApiServer } from './scripted-api-server.js';

/** A cluster whose kubeconfig leads to a scripted API server. */
export function targetOf(
  api: ScriptedApiServer,
  authority = api.authority.certificate,
  client: Credentials = api.client,
): ClusterTarget {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'demo',
    clusters: [
      { name: 'demo', cluster: { server: api.address, 'certificate-authority-data': base64(authority) } },
    ],
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: 'demo' } }],
    users: [
      {
        name: 'demo',
        user: {
          'client-certificate-data': base64(client.certificate),
          'client-key-data': base64(client.key),
        },
      },
    ],
  };
  // JSON is YAML.
  return { name: 'demo', runtime: 'docker', kubeconfig: JSON.stringify(config) };
}
