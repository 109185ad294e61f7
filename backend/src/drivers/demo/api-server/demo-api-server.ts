import type { Duplex, Readable } from 'node:stream';
import type { ApiResponse, ApiConnection, ApiRequest, ApiStream } from '../../kubernetes/index.js';
import type { RunningProgram } from '../../runtime/index.js';
import { DemoShell } from '../demo-shell.js';
import { parsePath, type ResourcePath } from './api-path.js';
import { ClusterState, type DemoMachine } from './cluster-state.js';
import { fill } from './content.js';
import { Controllers } from './controllers/controller.js';
import { Deployments } from './controllers/deployments.js';
import { Jobs } from './controllers/jobs.js';
import { Kubelet } from './controllers/kubelet.js';
import { CustomResourceDefinitions, Namespaces } from './controllers/namespaces.js';
import { NodeController } from './controllers/nodes.js';
import { Scheduler } from './controllers/scheduler.js';
import { Workloads } from './controllers/workloads.js';
import { aggregatedDiscovery } from './discovery.js';
import { Metrics } from './metrics.js';
import { PodLog } from './pod-log.js';
import { PodPage } from './pod-page.js';
import { inVersion, Reading } from './reading.js';
import { Removal } from './removal.js';
import { ApiFailure, badRequest, methodNotAllowed } from './status.js';
import { scaleOf, Subresources } from './subresources.js';
import { Watching } from './watching.js';
import { Writing, type Written } from './writing.js';

const NOT_FOUND: ApiResponse = { status: 404, text: '404 page not found\n' };
const OK: ApiResponse = { status: 200, text: 'ok' };
const HEALTH = ['/readyz', '/livez', '/healthz'];
const METRICS_PATH = '/apis/metrics.k8s.io/v1beta1/';
const METRICS_SERVICE = 'v1beta1.metrics.k8s.io';

/** The API server of a demo cluster: the REST API of Kubernetes on objects in memory. */
export class DemoApiServer implements ApiConnection {
  private readonly state: ClusterState;
  private readonly controllers: Controllers;
  private readonly nodes: NodeController;
  private readonly reading: Reading;
  private readonly writing: Writing;
  private readonly subresources: Subresources;
  private readonly watching: Watching;
  private readonly podLog: PodLog;
  private readonly podPage = new PodPage();
  private readonly metrics: Metrics;
  private readonly shells = new Set<DemoShell>();
  private readonly stopListening: () => void;

  constructor(private readonly machine: DemoMachine) {
    const state = new ClusterState(machine);
    const removal = new Removal(state);
    this.state = state;
    this.controllers = new Controllers(state, [
      new Namespaces(state, removal),
      new CustomResourceDefinitions(state),
      new Deployments(state),
      new Workloads('replicasets.apps', state, removal),
      new Workloads('statefulsets.apps', state, removal),
      new Workloads('daemonsets.apps', state, removal),
      new Jobs(state, removal),
      new Scheduler(state),
      new Kubelet(state),
    ]);
    state.timeline.onMoment(() => this.controllers.settle());
    this.nodes = new NodeController(state);
    this.reading = new Reading(state);
    this.writing = new Writing(state, removal);
    this.subresources = new Subresources(state, this.reading, this.writing, removal);
    this.watching = new Watching(state, this.reading);
    this.podLog = new PodLog(state, this.reading);
    this.metrics = new Metrics(state);
    this.stopListening = machine.onChange(() => (this.isRunning() ? this.catchUp() : this.breakAll()));
    fill(state, this.writing);
    this.controllers.settle();
  }

  /** @throws Error like a broken connection while no control plane runs */
  async send(request: ApiRequest): Promise<ApiResponse> {
    request.signal?.throwIfAborted();
    try {
      return await this.respond(() => this.answer(request));
    } finally {
      this.controllers.settle();
    }
  }

  async stream({ path, accept = '', signal, onLine }: ApiStream): Promise<ApiResponse> {
    return await this.respond(async () => {
      const { resource, query } = this.parse(path);
      if (!resource) return NOT_FOUND;
      await this.watching.watch({ path: resource, query, accept, signal, onLine });
      return { status: 200, text: '' };
    });
  }

  async open(path: string, signal: AbortSignal): Promise<Readable | ApiResponse> {
    signal.throwIfAborted();
    return await this.respond<Readable>(() => {
      const { resource, query } = this.parse(path);
      return resource?.subresource === 'log' ? this.podLog.read(resource, query, signal) : NOT_FOUND;
    });
  }

  async exec(path: string): Promise<RunningProgram | ApiResponse> {
    return await this.respond<RunningProgram>(() => {
      const { resource, query } = this.parse(path);
      if (resource?.subresource !== 'exec') return NOT_FOUND;
      const { metadata } = this.podLog.running(resource, query.get('container'));
      if (query.get('tty') !== 'true') throw badRequest('the demo runs only shells');
      const shell = new DemoShell(metadata.name, query.getAll('command'));
      this.shells.add(shell);
      shell.once('close', () => this.shells.delete(shell));
      return shell;
    });
  }

  async forward(path: string): Promise<Duplex | ApiResponse> {
    return await this.respond<Duplex>(() => {
      const { resource, query } = this.parse(path);
      if (resource?.subresource !== 'portforward') return NOT_FOUND;
      return this.podPage.connect(this.reading.find(resource), Number(query.get('ports')));
    });
  }

  /** Called when the cluster is deleted. */
  close(): void {
    this.stopListening();
    this.breakAll();
  }

  private async respond<Content = never>(
    run: () => Content | ApiResponse | Promise<ApiResponse>,
  ): Promise<Content | ApiResponse> {
    if (!this.isRunning()) throw connectionError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:6443');
    this.catchUp();
    try {
      return await run();
    } catch (error) {
      if (error instanceof ApiFailure) return error.response;
      throw error;
    }
  }

  private answer({ method = 'GET', path, accept = '', body, contentType = '' }: ApiRequest): ApiResponse {
    const { pathname, searchParams: query } = new URL(path, 'https://demo');
    if (HEALTH.includes(pathname)) return OK;
    if (pathname === '/api' || pathname === '/apis') {
      const types = [...this.state.types.all(), ...(this.hasMetrics() ? Metrics.types : [])];
      return json(aggregatedDiscovery(types, pathname === '/api'));
    }
    if (pathname.startsWith(METRICS_PATH)) {
      return this.hasMetrics() ? json(this.metrics.list(pathname.slice(METRICS_PATH.length))) : NOT_FOUND;
    }
    const { resource } = this.parse(path);
    if (!resource) return NOT_FOUND;
    if (method === 'GET') return json(this.read(resource, query, accept));
    if (method === 'DELETE') {
      if (resource.name === undefined || resource.subresource !== undefined) throw methodNotAllowed();
      return json(this.writing.remove(resource, body, query));
    }
    const { status, object } = this.write(method, resource, { body, contentType, query });
    return json(object, status);
  }

  private parse(path: string): { resource: ResourcePath | undefined; query: URLSearchParams } {
    const { pathname, searchParams } = new URL(path, 'https://demo');
    const parts = pathname.split('/').slice(1).map(decodeURIComponent);
    return { resource: parsePath(parts, this.state.types), query: searchParams };
  }

  private read(path: ResourcePath, query: URLSearchParams, accept: string): object {
    if (path.subresource === 'scale') return scaleOf(this.reading.find(path));
    if (path.subresource !== undefined) throw methodNotAllowed();
    if (path.name === undefined) return this.reading.list(path, query, accept);
    return inVersion(this.reading.find(path), path.type);
  }

  private write(method: string, path: ResourcePath, change: Parameters<Writing['create']>[1]): Written {
    const { name, subresource } = path;
    if (subresource === 'scale') return this.subresources.setScale(method, path, change);
    if (subresource === 'eviction' && method === 'POST') return this.subresources.evict(path, change);
    if (method === 'POST' && name === undefined) return this.writing.create(path, change);
    if (method === 'PUT' && name !== undefined) return this.writing.replace(path, change);
    if (method === 'PATCH' && name !== undefined) return this.writing.patch(path, change);
    throw methodNotAllowed();
  }

  /** Plays what happened in the cluster since the last request. */
  private catchUp(): void {
    this.nodes.sync();
    this.state.timeline.advance();
  }

  private breakAll(): void {
    const error = connectionError('ECONNRESET', 'socket hang up');
    this.watching.breakAll(error);
    this.podLog.breakAll(error);
    for (const shell of this.shells) shell.destroy();
    this.podPage.breakAll(error);
  }

  private isRunning(): boolean {
    return this.machine.nodes().some(({ role, state }) => role === 'control-plane' && state === 'running');
  }

  private hasMetrics(): boolean {
    return (
      this.state.store.get('apiservices.apiregistration.k8s.io', undefined, METRICS_SERVICE) !== undefined
    );
  }
}

function json(value: object, status = 200): ApiResponse {
  return { status, text: JSON.stringify(value) };
}

function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
