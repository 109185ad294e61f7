import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedApiServer } from '../../support/engine/scripted-api-server.js';
import { freePort } from '../../support/free-port.js';
import { makeDemoCluster } from '../../support/kubernetes/demo-cluster.js';
import type { Product } from './product.js';

/** In an argument of the plugin: a mark that would turn the text after it around. */
const BIDI = '\u202e';

const REVIEWS = '/apis/authorization.k8s.io/';

/** An API server that Slipway does not own, with the workloads of the demo, and a kubeconfig that leads to it. */
export class ExternalServer {
  /** The rights of its user; undefined for all. */
  rules: { verbs: string[]; apiGroups: string[]; resources: string[] }[] | undefined;

  private constructor(
    readonly api: ScriptedApiServer,
    readonly kubeconfig: string,
    private readonly file: string,
    private readonly remove: () => Promise<void>,
  ) {}

  /** @param home of the product's user, which gets `~/.kube/config` */
  static async start({ home }: Product): Promise<ExternalServer> {
    const inside = await makeDemoCluster('outside');
    const api = await ScriptedApiServer.start();
    const inner = inside.world.apiServer('outside');
    api.behind = inner;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const plugin = join(home, 'sign-in');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { clientCertificateData: api.client.certificate, clientKeyData: api.client.key },
    };
    await writeFile(plugin, `#!/bin/sh\ncat <<'END'\n${JSON.stringify(credential)}\nEND\n`);
    await chmod(plugin, 0o755);
    const authority = base64(api.authority.certificate);
    const kubeconfig = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'main', cluster: { server: api.address, 'certificate-authority-data': authority } },
        { name: 'away', cluster: { server: `https://127.0.0.1:${await freePort()}` } },
      ],
      users: [
        {
          name: 'ada',
          user: {
            'client-certificate-data': base64(api.client.certificate),
            'client-key-data': base64(api.client.key),
          },
        },
        {
          name: 'cloud',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: plugin,
              args: ['token', `--region=${BIDI}eu`],
              env: [{ name: 'PROFILE', value: 'work' }],
              interactiveMode: 'Never',
            },
          },
        },
      ],
      contexts: [
        { name: 'production', context: { cluster: 'main', user: 'ada', namespace: 'shop' } },
        { name: 'far', context: { cluster: 'away', user: 'ada' } },
        { name: 'cloud', context: { cluster: 'main', user: 'cloud' } },
        { name: 'broken', context: { cluster: 'none', user: 'ada' } },
      ],
    });
    await mkdir(join(home, '.kube'), { recursive: true });
    const file = join(home, '.kube', 'config');
    await writeFile(file, kubeconfig, { mode: 0o600 });
    const external = new ExternalServer(api, kubeconfig, file, inside.remove);
    const send = inner.send.bind(inner);
    inner.send = async (request) =>
      request.path.startsWith(REVIEWS) && external.rules
        ? { status: 201, text: external.review(request.path) }
        : await send(request);
    return external;
  }

  /** As another program does that edits the file: the user of the context has another certificate. */
  async changeUser(): Promise<void> {
    const other = Buffer.from(this.api.authority.issue('grace').certificate).toString('base64');
    await writeFile(
      this.file,
      this.kubeconfig.replace(/"client-certificate-data":"[^"]+"/, `"client-certificate-data":"${other}"`),
    );
  }

  private review(path: string): string {
    const status = path.endsWith('/selfsubjectrulesreviews')
      ? { incomplete: false, resourceRules: this.rules }
      : { allowed: false };
    return JSON.stringify({ status });
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.remove();
  }
}
