import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ApiResponse, ApiConnection } from '../../../backend/src/drivers/kubernetes/index.js';
import { OpenSockets } from '../../../backend/src/drivers/kubernetes/open-sockets.js';
import { CertificateAuthority, type Credentials } from './certificates.js';
import { HeldRequests } from './held-requests.js';
import { PodPorts } from './pod-ports.js';

/** A status, a response after 3 s, or one that ends in its middle. */
export type ApiFailure = 429 | 500 | 'slow' | 'truncated';
const SLOW_MS = 3000;

export interface ApiNode {
  name: string;
  ready: boolean;
  /** Time of the last heartbeat of its kubelet. */
  renewedAt?: Date;
}

/** Pods of users that have not ended. */
const OF_USERS =
  'metadata.namespace!=kube-system,metadata.namespace!=local-path-storage,status.phase!=Succeeded,status.phase!=Failed';

/**
 * A scripted API server with TLS. Accepts only the credentials of its kubeconfig. Requests without a script go to a
 * backend, such as a cluster of the demo, or are recorded as unexpected.
 */
export class ScriptedApiServer extends HeldRequests {
  readonly unexpected: string[] = [];
  nodes: ApiNode[] = [];
  dnsReady = true;
  /** Beside the cluster's own. */
  pods: string[] = [];
  volumeClaims: string[] = [];
  /** Where the DNS runs, and since when. */
  dns: { nodeName?: string; startedAt?: Date } = {};
  /** The status of `/readyz`: 200, or 500 while it starts. */
  readyStatus = 200;
  /** Starts and stops of the listener follow each other, since a node may restart fast. */
  private turn: Promise<void> = Promise.resolve();
  private ownPort = 0;
  /** Accepts and never responds. */
  silent = false;
  /** Set by `fail`. */
  private failure: ApiFailure | undefined;
  behind: ApiConnection | undefined;
  /** Listeners on ports of Pods. */
  readonly podPorts = new PodPorts();
  /** Also those in a TLS handshake or after an upgrade, which the server waits for and does not end. */
  private readonly sockets = new OpenSockets();

  private constructor(
    private readonly server: Server,
    readonly authority: CertificateAuthority,
    readonly client: Credentials,
  ) {
    super();
  }

  static async start(): Promise<ScriptedApiServer> {
    const authority = CertificateAuthority.create('scripted cluster');
    const { certificate, key } = authority.issue('kube-apiserver');
    const server = createServer(
      { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        const path = request.url?.split('?')[0] ?? '';
        void api.whileHeld(`${request.method ?? ''} ${path}`).then(() => {
          if (!response.destroyed && !api.fails(request, response)) api.reply(request, response);
        });
      },
    );
    const api = new ScriptedApiServer(server, authority, authority.issue('kubernetes-admin'));
    server.on('connection', (socket: Socket) => api.sockets.add(socket));
    server.on('upgrade', (request, socket, head) => {
      if (!api.podPorts.open(request, socket, head)) {
        api.unexpected.push(`API server: upgrade of ${request.url ?? ''}`);
        socket.destroy();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    api.ownPort = (server.address() as AddressInfo).port;
    return api;
  }

  get port(): number {
    return this.ownPort;
  }

  onConnection(listener: () => void): void {
    this.server.on('secureConnection', listener);
  }

  get address(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Its node has ended or is paused: connections are refused. */
  async goAway(): Promise<void> {
    this.turn = this.turn.then(() => this.stop());
    await this.turn;
  }

  /** Its node runs again, on the port that it always has. */
  async comeBack(): Promise<void> {
    this.turn = this.turn.then(
      () => new Promise((resolve) => this.server.listen(this.ownPort, '127.0.0.1', resolve)),
    );
    await this.turn;
  }

  async stop(): Promise<void> {
    this.podPorts.close();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.sockets.destroy();
    await closed;
  }

  /** Ends all connections, and fails from now on; undefined ends it. */
  fail(failure: ApiFailure | undefined): void {
    this.failure = failure;
    this.server.closeAllConnections();
  }

  private fails(request: IncomingMessage, response: ServerResponse): boolean {
    const { failure } = this;
    const type = { 'content-type': 'application/json' };
    if (failure === undefined) return false;
    if (failure === 'truncated') {
      response.writeHead(200, { ...type, 'content-length': 1000 });
      response.write('{"kind":"PodList","items":[{"meta', () => response.destroy());
    } else if (failure === 'slow') {
      setTimeout(() => {
        if (!response.destroyed) this.reply(request, response);
      }, SLOW_MS);
    } else {
      const message = failure === 429 ? 'too many requests, please try again later' : 'etcdserver: no leader';
      response.writeHead(failure, failure === 429 ? { ...type, 'retry-after': '1' } : type);
      response.end(JSON.stringify({ kind: 'Status', status: 'Failure', message, code: failure }));
    }
    return true;
  }

  private reply(request: IncomingMessage, response: ServerResponse): void {
    if (this.silent) return;
    const { method = '', url = '' } = request;
    const json = (value: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const ready = (value: boolean): unknown => ({
      conditions: [
        {
          type: 'Ready',
          status: value ? 'True' : 'False',
          reason: value ? 'KubeletReady' : 'KubeletNotReady',
        },
      ],
    });
    switch (`${method} ${url}`) {
      case 'GET /version':
        json({ gitVersion: 'v1.34.4' });
        return;
      case 'GET /readyz':
        response.writeHead(this.readyStatus);
        response.end(this.readyStatus === 200 ? 'ok' : '[-]etcd failed: reason withheld\n');
        return;
      case 'GET /api/v1/nodes?limit=100': {
        json({
          kind: 'NodeList',
          items: this.nodes.map((node) => ({ metadata: { name: node.name }, status: ready(node.ready) })),
        });
        return;
      }
      case `GET /api/v1/namespaces/kube-system/pods?labelSelector=${encodeURIComponent('k8s-app in (kube-dns,coredns)')}&limit=20`: {
        json({
          kind: 'PodList',
          items: [
            {
              metadata: { name: 'coredns' },
              spec: { nodeName: this.dns.nodeName },
              status: {
                ...(ready(this.dnsReady) as object),
                containerStatuses: [
                  { name: 'coredns', state: { running: { startedAt: wholeSeconds(this.dns.startedAt) } } },
                ],
              },
            },
          ],
        });
        return;
      }
      case `GET /api/v1/pods?fieldSelector=${encodeURIComponent(OF_USERS)}`:
        json({ kind: 'PodList', items: this.pods.map((name) => ({ metadata: { name } })) });
        return;
      case 'GET /api/v1/persistentvolumeclaims':
        json({
          kind: 'PersistentVolumeClaimList',
          items: this.volumeClaims.map((name) => ({ metadata: { name } })),
        });
        return;
      case 'GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=100': {
        json({
          kind: 'LeaseList',
          items: this.nodes.map(({ name, renewedAt }) => ({
            metadata: { name },
            spec: { renewTime: renewedAt?.toISOString() },
          })),
        });
        return;
      }
      default:
        if (this.behind) {
          void replyFrom(this.behind, request, response).catch((error: unknown) => {
            this.unexpected.push(`API server: ${method} ${url}: ${String(error)}`);
            response.destroy();
          });
          return;
        }
        // Slipway searches each running cluster for problems, which starts with its kinds, and for logs, with its Pods.
        if (method === 'GET' && ['/api', '/apis', '/api/v1/pods?limit=500'].includes(url)) {
          response.writeHead(503).end();
          return;
        }
        this.unexpected.push(`API server: ${method} ${url}`);
        response.writeHead(501);
        response.end('the test has no response for this request');
    }
  }
}

/** Hands a request on, and the reply back. */
async function replyFrom(
  server: ApiConnection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '', headers } = request;
  const body = await text(request);
  const accept = headers.accept ?? '';
  if (/[?&]watch=(1|true)(&|$)/.test(url)) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const watching = server.stream({
      path: url,
      accept,
      signal: gone.signal,
      onLine: (line) => response.write(`${line}\n`),
    });
    // A refused watch ends at once. Any other sends its headers before the first event.
    const headersTimer = setTimeout(() => response.flushHeaders(), 0);
    const reply = await watching.finally(() => clearTimeout(headersTimer));
    if (response.headersSent) response.end();
    else write(response, reply);
    return;
  }
  if (/\/log(\?|$)/.test(url)) {
    await sendLog(server, url, response);
    return;
  }
  write(
    response,
    await server.send({
      method: method as 'GET',
      path: url,
      accept,
      ...(headers['content-type'] === undefined ? {} : { contentType: headers['content-type'] }),
      ...(body === '' ? {} : { body }),
    }),
  );
}

async function sendLog(server: ApiConnection, url: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const log = await server.open(url, gone.signal);
  if (!('read' in log)) {
    write(response, log);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
  // A client that disconnects in the middle is not an error.
  await pipeline(log, response).catch(() => response.destroy());
}

function write(response: ServerResponse, { status, text: body, warnings = [] }: ApiResponse): void {
  if (warnings.length > 0) {
    const quoted = warnings.map((warning) => `299 - "${warning.replace(/["\\]/g, '\\$&')}"`);
    response.setHeader('warning', quoted);
  }
  response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/plain' });
  response.end(body);
}

/** As Kubernetes writes the times of pods. */
function wholeSeconds(time: Date | undefined): string | undefined {
  return time?.toISOString().replace(/\.\d+/, '');
}
