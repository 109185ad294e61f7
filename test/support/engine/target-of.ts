import type { ClusterTarget } from '../../../backend/src/drivers/kubernetes/index.js';
import type { Credentials } from './certificates.js';
import type { ScriptedApiServer } from './scripted-api-server.js';
import { testKubeconfig } from '../kubernetes/test-kubeconfig.js';

/** A cluster whose kubeconfig leads to a scripted API server. */
export function targetOf(
  api: ScriptedApiServer,
  authority = api.authority.certificate,
  client: Credentials = api.client,
): ClusterTarget {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const kubeconfig = testKubeconfig({
    server: api.address,
    authority: base64(authority),
    user: {
      'client-certificate-data': base64(client.certificate),
      'client-key-data': base64(client.key),
    },
  });
  return { name: 'demo', runtime: 'docker', kubeconfig };
}
