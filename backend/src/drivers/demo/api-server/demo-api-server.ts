import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readProject } from '../../../core/config/index.js';
import type { ApiResponse, ApiConnection, ApiRequest, ApiStream } from '../../kubernetes/index.js';
import { parsePath, type ResourcePath } from './api-path.js';
import { ClusterState, type DemoMachine } from './cluster-state.js';
import { fill } from './content/content.js';
import { ApiServices } from './controllers/api-services.js';
import { Autoscalers } from './controllers/autoscalers.js';
import { Budgets } from './controllers/budgets.js';
import { Controllers } from './controllers/controller.js';
import { CronJobs } from './controllers/cron-jobs.js';
import { DaemonSets } from './controllers/daemon-sets.js';
import { Deployments } from './controllers/deployments.js';
import { Jobs } from './controllers/jobs.js';
import { Kubelet } from './controllers/kubelet.js';
import { Definitions, Namespaces } from './controllers/namespaces.js';
import { NodeKeeper } from './controllers/nodes.js';
import { ReplicaSets } from './controllers/replica-sets.js';
import { Scheduler } from './controllers/scheduler.js';
import { Services } from './controllers/services.js';
import { StatefulSets } from './controllers/stateful-sets.js';
import { VolumeClaims } from './controllers/volume-claims.js';
import { aggregatedDiscovery, resourceList } from './discovery.js';
import { Metrics } from './metrics.js';
import { PodLog } from './pod-log.js';
import { formOf, Reading } from './reading.js';
import { Removal } from './removal.js';
import { ApiFailure, methodNotAllowed } from './status.js';
import { Subresources } from './subresources.js';
import { Watching } from './watching.js';
import { decode } from './writing/decoding.js';
import { Writing, type Change, type Written } from './writing/writing.js';

const NOT_FOUND: ApiResponse = { status: 404, text: '404 page not found\n' };
const OK: ApiResponse = { status: 200, text: 'ok' };
const HEALTH = ['/readyz', '/livez', '/healthz'];
const METRICS = ['apis', 'metrics.k8s.io', 'v1beta1'];
const METRICS_SERVICE = 'v1beta1.metrics.k8s.io';
const ENDPOINTS_WARNING = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

/** The API server of a cluster of the demo: Kubernetes' REST, and behind it a cluster on paper. */
export class DemoApiServer implements ApiConnection {
  private readonly state: ClusterState;
  private readonly controllers: Controllers;
  private readonly nodes: NodeKeeper;
  private readonly reading: Reading;
  private readonly writing: Writing;
  private readonly subresources: Subresources;
  private readonly watching: Watching;
  private readonly podLog: PodLog;
  private readonly metrics: Metrics;
  private readonly stopListening: () => void;

  constructor(private readonly machine: DemoMachine) {
    const state = new ClusterState(machine);
    const removal = new Removal(state);
    this.state = state;
    this.controllers = new Controllers(state, [
      new Namespaces(state, removal),
      new Definitions(state),
      new ApiServices(state),
      new Deployments(state),
      new ReplicaSets(state, removal),
      new StatefulSets(state, removal),
      new DaemonSets(state, removal),
      new CronJobs(state, removal),
      new Jobs(state),
      new Scheduler(state),
      new Kubelet(state),
      new VolumeClaims(state),
      new Services(state),
      new Budgets(state),
      new Autoscalers(state),
    ]);
    state.timeline.onMoment(() => this.controllers.settle());
    this.nodes = new NodeKeeper(state);
    this.reading = new Reading(
      state.store,
      (type) => state.types.printer(type),
      () => state.timeline.now,
    );
    this.writing = new Writing(state, removal);
    this.subresources = new Subresources(state, this.reading, this.writing, removal);
    this.watching = new Watching(state, this.reading);
    this.podLog = new PodLog(state, this.reading);
    this.metrics = new Metrics(state);
    this.stopListening = machine.onChange(() => this.follow());
    fill(state, this.writing);
    this.controllers.settle();
  }

  /** @throws Error as a connection does where no control plane runs, or its time is up. */
  async send(request: ApiRequest): Promise<ApiResponse> {
    request.signal?.throwIfAborted();
    this.wake();
    try {
      if (isLog(request)) return await this.wholeLog(request.path);
      return this.answer(request);
    } catch (error) {
      if (error instanceof ApiFailure) return error.answer;
      throw error;
    } finally {
      this.controllers.settle();
    }
  }

  async stream({ path, accept = '', signal, onLine }: ApiStream): Promise<ApiResponse> {
    this.wake();
    try {
      const url = new URL(path, 'https://demo');
      const resource = parsePath(partsOf(url), this.state.types);
      if (!resource) return NOT_FOUND;
      await this.watching.watch({ path: resource, query: url.searchParams, accept, signal, onLine });
      return { status: 200, text: '' };
    } catch (error) {
      if (error instanceof ApiFailure) return error.answer;
      throw error;
    }
  }

  async open(path: string, signal: AbortSignal): Promise<Readable | ApiResponse> {
    signal.throwIfAborted();
    this.wake();
    try {
      const url = new URL(path, 'https://demo');
      const resource = parsePath(partsOf(url), this.state.types);
      if (resource?.subresource !== 'log') return NOT_FOUND;
      return this.podLog.read(resource, url.searchParams, signal);
    } catch (error) {
      if (error instanceof ApiFailure) return error.answer;
      throw error;
    }
  }

  /** A log as it is now: whoever wants to follow it opens it. */
  private async wholeLog(path: string): Promise<ApiResponse> {
    const found = await this.open(path.replace(/([?&])follow=true/, '$1'), AbortSignal.timeout(1000));
    return found instanceof Readable ? { status: 200, text: await text(found) } : found;
  }

  /** Its cluster is gone. */
  close(): void {
    this.stopListening();
    this.breakAll();
  }

  private answer(request: ApiRequest): ApiResponse {
    const { method = 'GET', path, accept = '' } = request;
    const url = new URL(path, 'https://demo');
    if (HEALTH.includes(url.pathname)) return OK;
    if (url.pathname === '/version') return json(this.version());
    const parts = partsOf(url);
    if (METRICS.every((part, index) => parts[index] === part)) {
      return this.hasMetrics()
        ? json(this.metrics.answer(parts.slice(METRICS.length), url.searchParams))
        : NOT_FOUND;
    }
    const discovered = this.discover(parts, accept);
    if (discovered) return json(discovered);
    const resource = parsePath(parts, this.state.types);
    if (!resource) return NOT_FOUND;
    return method === 'GET'
      ? this.read(resource, url.searchParams, accept)
      : this.write(method, resource, request, url);
  }

  private discover(parts: readonly string[], accept: string): object | undefined {
    const [root, group = '', version = '', ...more] = parts;
    const types = this.state.types.all();
    if ((root === 'api' || root === 'apis') && parts.length === 1) {
      if (!accept.includes('as=APIGroupDiscoveryList')) {
        throw new ApiFailure(406, 'NotAcceptable', 'only aggregated discovery is served');
      }
      return aggregatedDiscovery(this.hasMetrics() ? [...types, ...Metrics.types] : types, root === 'api');
    }
    if (root === 'api' && parts.length === 2) return resourceList(types, '', group);
    const known = types.some((type) => type.group === group && type.version === version);
    return root === 'apis' && more.length === 0 && known ? resourceList(types, group, version) : undefined;
  }

  private read(path: ResourcePath, query: URLSearchParams, accept: string): ApiResponse {
    const warnings = path.type.plural === 'endpoints' ? { warnings: [ENDPOINTS_WARNING] } : {};
    if (path.subresource === 'scale') return json(this.subresources.scale(path));
    if (path.subresource === 'eviction') throw methodNotAllowed();
    const form = formOf(accept, query);
    const found =
      path.name === undefined ? this.reading.list(path, query, form) : this.reading.one(path, form);
    return { ...json(found), ...warnings };
  }

  private write(method: string, path: ResourcePath, request: ApiRequest, url: URL): ApiResponse {
    const { body, contentType = 'application/json' } = request;
    const change: Change = { body, contentType, query: url.searchParams };
    if (method === 'DELETE') {
      if (path.name === undefined || path.subresource !== undefined) throw methodNotAllowed();
      const options = body ? decode(body, { kind: 'DeleteOptions' }) : {};
      return json(this.writing.remove(path, options, url.searchParams));
    }
    const { status, object, warnings } = this.written(method, path, change);
    return { ...json(object, status), ...(warnings.length > 0 ? { warnings } : {}) };
  }

  private written(method: string, path: ResourcePath, change: Change): Written {
    const { name, subresource } = path;
    if (subresource === 'scale') return this.subresources.setScale(method, path, change);
    if (subresource === 'eviction') {
      if (method !== 'POST') throw methodNotAllowed();
      return this.subresources.evict(path, change);
    }
    if (method === 'POST' && name === undefined) return this.writing.create(path, change);
    if (method === 'PUT' && name !== undefined) return this.writing.replace(path, change);
    if (method === 'PATCH' && name !== undefined) return this.writing.patch(path, change);
    throw methodNotAllowed();
  }

  /** Brings the cluster to this moment. @throws Error where nobody listens */
  private wake(): void {
    if (!this.runs()) {
      throw connectionError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:6443');
    }
    this.nodes.look();
    this.state.timeline.advance();
  }

  private follow(): void {
    if (!this.runs()) {
      this.breakAll();
      return;
    }
    this.nodes.look();
    this.state.timeline.advance();
  }

  private breakAll(): void {
    const error = connectionError('ECONNRESET', 'socket hang up');
    this.watching.breakAll(error);
    this.podLog.breakAll(error);
  }

  private runs(): boolean {
    return this.machine.nodes().some(({ role, state }) => role === 'control-plane' && state === 'running');
  }

  private hasMetrics(): boolean {
    return (
      this.state.store.get('apiservices.apiregistration.k8s.io', undefined, METRICS_SERVICE) !== undefined
    );
  }

  private version(): object {
    const image = this.machine.nodes().find(({ role }) => role === 'control-plane')?.image ?? '';
    const [, gitVersion = 'v1.34.4', minor = '34'] = /:(v1\.(\d+)\.\d+)/.exec(image) ?? [];
    return {
      major: '1',
      minor,
      gitVersion,
      gitTreeState: 'clean',
      compiler: `slipway ${readProject().version}`,
      platform: 'linux/amd64',
    };
  }
}

function json(value: object, status = 200): ApiResponse {
  return { status, text: JSON.stringify(value) };
}

function isLog({ method = 'GET', path }: ApiRequest): boolean {
  return method === 'GET' && /\/pods\/[^/?]+\/log(\?|$)/.test(path);
}

function partsOf(url: URL): string[] {
  return url.pathname.split('/').slice(1).map(decodeURIComponent);
}

function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
