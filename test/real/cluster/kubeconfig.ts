import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { KubeconfigMergeDto } from '../../../backend/src/modules/kubeconfig/kubeconfig.dto.js';
import type { StatsDto } from '../../../backend/src/modules/stats/stats.dto.js';
import { run } from '../support/engines.js';
import type { RealCluster } from '../support/real-cluster.js';

/** Leaves the cluster in the kubeconfig of the user for `testDeletion`. */
export function testKubeconfigs(cluster: RealCluster): void {
  const { engine, name, ownKubeconfig: own } = cluster;
  const [node] = cluster.nodes;
  const nodes = cluster.nodes.map((each) => `node/${each}`).join('\n');
  const merge = `/clusters/${name}/kubeconfig/merge`;
  let image: string;
  let onHost: string[];

  beforeAll(async () => {
    image = await run(engine, ['inspect', '--format={{.Config.Image}}', node]);
    const { runtimes } = (await cluster.product.call<StatsDto>('GET', '/stats')).body;
    const alias = runtimes.find(({ id: runtime }) => runtime === engine)?.host_alias ?? '';
    onHost = ['--network=host', `--add-host=${alias}:127.0.0.1`];
  });

  async function kubeconfig(variant: 'host' | 'network'): Promise<string> {
    const path = `/clusters/${name}/kubeconfig/docker?variant=${variant}`;
    const { status, body } = await cluster.product.call<string>('GET', path);
    expect(status).toBe(200);
    return body;
  }

  /** Lists the nodes from a container with this kubeconfig. */
  async function nodesFromContainer(network: readonly string[], text: string): Promise<string> {
    const mounted = mkdtempSync(join(cluster.folder, 'mounted-'));
    writeFileSync(join(mounted, 'kubeconfig'), text, { mode: 0o600 });
    return await run(engine, [
      'run',
      '--rm',
      ...network,
      `--volume=${mounted}:/mounted:ro`,
      '--entrypoint=kubectl',
      image,
      '--kubeconfig=/mounted/kubeconfig',
      '--request-timeout=20s',
      'get',
      'nodes',
      '--output=name',
    ]);
  }

  it('work with verified TLS in a container on the host network', async () => {
    const text = await kubeconfig('host');
    expect(text).not.toContain('insecure-skip-tls-verify');
    expect(await nodesFromContainer(onHost, text)).toBe(nodes);
  });

  it('work with verified TLS in a container on the network of the cluster', async () => {
    const text = await kubeconfig('network');
    expect(text).not.toContain('insecure-skip-tls-verify');
    expect(await nodesFromContainer(['--network=kind'], text)).toBe(nodes);
  });

  it('fail TLS verification without tls-server-name', async () => {
    const text = (await kubeconfig('host')).replace(/ +tls-server-name: .*\n/, '');
    await expect(nodesFromContainer(onHost, text)).rejects.toThrow(/certificate is valid for .*, not host\./);
  });

  it('fail TLS verification with another certificate authority', async () => {
    const foreign = await frontProxyAuthority();
    for (const [variant, network] of [
      ['host', onHost],
      ['network', ['--network=kind']],
    ] as const) {
      const text = (await kubeconfig(variant)).replace(
        /certificate-authority-data: .*/,
        `certificate-authority-data: ${foreign}`,
      );
      await expect(nodesFromContainer(network, text)).rejects.toThrow(
        'certificate signed by unknown authority',
      );
    }
  });

  it('merge into the kubeconfig of the user without changing the current context', async () => {
    const { status, body } = await cluster.product.call<KubeconfigMergeDto>('POST', merge, {});
    expect([status, body]).toMatchObject([200, { file: own, context: `kind-${name}`, merged: true }]);
    expect(await kubectl(`--context=kind-${name}`, 'get', 'nodes', '--output=name')).toBe(nodes);
    expect(await kubectl('config', 'current-context')).toBe('work');
    expect(await kubectl('config', 'view', '--minify', '--output=jsonpath={..namespace}')).toBe('payments');
  });

  it('set the current context on request, and keep changes that kubectl makes', async () => {
    await cluster.product.call('POST', merge, { set_current: true });
    expect(await kubectl('get', 'nodes', '--output=name')).toBe(nodes);
    await kubectl('config', 'set-context', 'work', '--namespace=invoices');
    await kubectl('config', 'use-context', 'work');
    expect((await cluster.product.call<KubeconfigMergeDto>('GET', merge)).body).toMatchObject({
      merged: true,
      current: false,
      outdated: false,
    });
  });

  async function kubectl(...args: string[]): Promise<string> {
    return await run('kubectl', args, { KUBECONFIG: own });
  }

  /** A certificate authority of the cluster that did not sign the API server's certificate. @returns base64 of PEM. */
  async function frontProxyAuthority(): Promise<string> {
    const pem = await run(engine, ['exec', node, 'cat', '/etc/kubernetes/pki/front-proxy-ca.crt']);
    return Buffer.from(`${pem}\n`).toString('base64');
  }
}
