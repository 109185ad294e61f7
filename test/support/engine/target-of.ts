import { ContextAccess, contextsOfText, readContext } from '../../../backend/src/drivers/contexts/index.js';
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

/** The same cluster as one of a user's kubeconfig. */
export async function externalTargetOf(api: ScriptedApiServer, proxy?: string): Promise<ClusterTarget> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const { certificate, key } = api.client;
  const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
  const cluster = {
    server: api.address,
    'certificate-authority-data': base64(api.authority.certificate),
    'proxy-url': proxy ?? '',
  };
  const text = JSON.stringify({
    clusters: [{ name: 'demo', cluster }],
    users: [{ name: 'demo', user }],
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: 'demo' } }],
  });
  const [context] = (await contextsOfText(text)).contexts;
  if (!context) throw new Error('the kubeconfig has no context');
  const options = { consent: null, namespaces: [], environment: {} };
  const kubeconfig = await ContextAccess.open(readContext(context), options);
  return { name: 'demo', runtime: 'kubeconfig', kubeconfig };
}
