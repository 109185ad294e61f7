import { createHash } from 'node:crypto';
import { Agent, request, type RequestOptions } from 'node:https';

/** A healthy API server on this machine answers within milliseconds. */
const DEADLINE_MS = 3000;
/** Far more than any list of nodes; a server that sends more is not one that we know. */
const MAX_ANSWER = 32_000_000;

export interface ApiAnswer {
  status: number;
  text: string;
}

/** One cluster's API server, reached as its kubeconfig says, over connections that stay open. */
export class ClusterConnection {
  private constructor(
    readonly fingerprint: string,
    private readonly server: URL,
    private readonly agent: Agent,
  ) {}

  static async open(kubeconfig: string): Promise<ClusterConnection> {
    // Half a second of loading that nobody pays before there is a cluster.
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const server = config.getCurrentCluster()?.server;
    if (server === undefined) throw new Error('the kubeconfig names no server');
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    const { ca, cert, key, rejectUnauthorized, servername } = options;
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 6,
      ca,
      cert,
      key,
      rejectUnauthorized,
      servername,
    });
    return new ClusterConnection(fingerprintOf(kubeconfig), new URL(server), agent);
  }

  async get(path: string, deadlineMs = DEADLINE_MS): Promise<ApiAnswer> {
    return await new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, this.server),
        {
          agent: this.agent,
          headers: { accept: 'application/json' },
          signal: AbortSignal.timeout(deadlineMs),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          let size = 0;
          incoming.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > MAX_ANSWER) outgoing.destroy(new Error('the answer is too large'));
            else chunks.push(chunk);
          });
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          );
          incoming.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Tells whether a kubeconfig is still the one that a connection was opened with. */
export function fingerprintOf(kubeconfig: string): string {
  return createHash('sha256').update(kubeconfig).digest('hex');
}
