import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import type { ApiObject, Condition, ContainerStatus, KubeNode, Pod } from '../shapes.js';
import type { Controller } from './controller.js';
import { containerStatuses, hasCondition, hasEnded, initStatuses, withConditions } from './pod-state.js';
import { OUT_OF_MEMORY, programOf, pullFailure } from './programs.js';

/** Seconds of demo time. */
const CREATE_SECONDS = 1;
const START_SECONDS = 1;
const STOP_SECONDS = 1.5;
const PULL_RETRY_SECONDS = 12;
/** Real seconds between restarts, doubled each time: also in a fast demo, containers should not restart all the time. */
const MIN_BACK_OFF_SECONDS = 10;
const MAX_BACK_OFF_SECONDS = 300;

/** Plays the pods of all nodes: create, run, fail, back off, restart, complete, stop. */
export class Kubelet implements Controller {
  readonly type = 'pods';
  /** Boot of the node in which each pod was started last, by the pod's uid. */
  private readonly boots = new Map<string, string>();
  private readonly stopping = new Set<string>();
  private addresses = 1;

  constructor(private readonly state: ClusterState) {}

  /** The pods of a node that became ready or unready. */
  concerned({ type, object, before }: Change): ApiObject[] {
    if (type !== 'nodes' || isUp(object) === isUp(before)) return [];
    return this.state.store.list<Pod>('pods').filter(({ spec }) => spec?.nodeName === object.metadata.name);
  }

  removed({ metadata: { uid = '' } }: ApiObject): void {
    this.boots.delete(uid);
    this.stopping.delete(uid);
  }

  reconcile(object: ApiObject): void {
    const pod = object as Pod;
    const { uid = '', annotations, deletionTimestamp } = pod.metadata;
    if (pod.spec?.nodeName === undefined) return;
    if (deletionTimestamp !== undefined) {
      this.stop(pod);
      return;
    }
    if (hasEnded(pod)) return;
    const node = this.nodeOf(pod);
    const boot = node?.status?.nodeInfo?.['bootID'] ?? '';
    const known = this.boots.get(uid);
    if (known === undefined) {
      // Static pods start before their node is ready.
      if (!isUp(node) && annotations?.['kubernetes.io/config.source'] !== 'file') return;
      this.boots.set(uid, boot);
      this.create(pod);
    } else if (!isUp(node)) this.setReady(pod, false);
    else if (known !== boot) {
      this.boots.set(uid, boot);
      this.run(pod);
    } else if (pod.status?.containerStatuses?.every(({ state }) => state?.running)) this.setReady(pod, true);
  }

  private setReady(pod: Pod, ready: boolean): void {
    const containers = containerStatuses(pod, ({ state = {} }) => ({ state, ready }));
    this.show(pod, containers);
  }

  private create(pod: Pod): void {
    const waiting = containerStatuses(pod, () => ({ state: { waiting: { reason: 'ContainerCreating' } } }));
    const startTime = this.state.timeline.time;
    this.later(this.show(pod, waiting, { phase: 'Pending', startTime }), CREATE_SECONDS, (created) => {
      const containers = created.spec?.containers ?? [];
      if (containers.some(({ image = '' }) => pullFailure(image) !== undefined)) {
        this.failPull(created, 'ErrImagePull');
        return;
      }
      for (const { image = '', name } of containers) {
        this.event(created, 'Pulled', `Container image "${image}" already present on machine`, name);
        this.event(created, 'Created', `Created container: ${name}`, name);
      }
      this.later(created, START_SECONDS, (started) => this.run(started));
    });
  }

  /** Starts the containers: for the first time, after a failure, or because their node was restarted. */
  private run(pod: Pod): void {
    const startedAt = this.state.timeline.time;
    const containers = containerStatuses(pod, ({ state, lastState, restartCount = 0, containerID }) => {
      // A container that still runs was killed by the restart of its node.
      const killed = state?.running && {
        exitCode: 255,
        reason: 'Unknown',
        startedAt: state.running.startedAt,
        finishedAt: startedAt,
        containerID,
      };
      const terminated = killed ?? state?.terminated ?? lastState?.terminated;
      return {
        state: { running: { startedAt } },
        lastState: terminated ? { terminated } : {},
        restartCount: containerID === undefined ? 0 : restartCount + 1,
        ready: true,
        started: true,
        containerID: this.state.names.containerId(),
        imageID: 'sha256:'.padEnd(71, '5'),
      };
    });
    const running = this.show(pod, containers, { phase: 'Running' });
    for (const { name } of containers) this.event(running, 'Started', `Started container ${name}`, name);
    const programs = (pod.spec?.containers ?? []).map((container) => programOf(container, pod));
    const failing = programs.find(({ exitCode }) => exitCode !== 0);
    if (failing) this.later(running, failing.seconds ?? 0, (current) => this.fail(current, failing.exitCode));
    else if (programs.every(({ seconds }) => seconds !== null)) {
      const longest = Math.max(0, ...programs.map(({ seconds }) => seconds ?? 0));
      this.later(running, longest, (current) => this.end(current, 'Succeeded', 0));
    }
  }

  private fail(pod: Pod, exitCode: number): void {
    if (pod.spec?.restartPolicy === 'Never') {
      this.end(pod, 'Failed', exitCode);
      return;
    }
    const failed = this.end(pod, pod.status?.phase, exitCode);
    const restarts = failed.status?.containerStatuses?.[0]?.restartCount ?? 0;
    // The first restart has no back-off.
    if (restarts === 0) this.later(failed, START_SECONDS, (current) => this.run(current));
    else this.later(failed, START_SECONDS, (current) => this.backOff(current, restarts));
  }

  private backOff(pod: Pod, restarts: number): void {
    const seconds = Math.min(MIN_BACK_OFF_SECONDS * 2 ** (restarts - 1), MAX_BACK_OFF_SECONDS);
    const { namespace, name, uid } = pod.metadata;
    const containers = containerStatuses(pod, (container) => {
      const message = `back-off ${seconds}s restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
      const waiting = { reason: 'CrashLoopBackOff', message };
      return { state: { waiting }, lastState: container.state ?? {}, ready: false, started: false };
    });
    const current = this.show(pod, containers);
    const container = containers[0]?.name ?? '';
    const message = `Back-off restarting failed container ${container} in pod ${name}_${namespace}(${uid})`;
    this.event(current, 'BackOff', message, container, 'Warning');
    // `later` counts demo time.
    this.later(current, seconds * this.state.machine.speed, (waited) => this.run(waited));
  }

  private failPull(pod: Pod, reason: 'ErrImagePull' | 'ImagePullBackOff'): void {
    const first = reason === 'ErrImagePull';
    const containers = containerStatuses(pod, ({ image = '' }) => {
      const why = pullFailure(image);
      if (why === undefined) return { state: { waiting: { reason: 'ContainerCreating' } } };
      const message = first ? why : `Back-off pulling image "${image}": ErrImagePull: ${why}`;
      return { state: { waiting: { reason, message } } };
    });
    const current = this.show(pod, containers);
    for (const { image = '', name } of current.spec?.containers ?? []) {
      const why = pullFailure(image);
      if (why === undefined) continue;
      if (first) {
        this.event(current, 'Pulling', `Pulling image "${image}"`, name);
        this.event(current, 'Failed', `Failed to pull image "${image}": ${why}`, name, 'Warning');
      } else this.event(current, 'BackOff', `Back-off pulling image "${image}"`, name);
      this.event(current, 'Failed', `Error: ${reason}`, name, 'Warning');
    }
    if (first) this.later(current, PULL_RETRY_SECONDS, (later) => this.failPull(later, 'ImagePullBackOff'));
  }

  private stop(pod: Pod): void {
    const { uid = '', deletionGracePeriodSeconds = 30, finalizers = [] } = pod.metadata;
    if (this.stopping.has(uid)) {
      if (hasEnded(pod) && finalizers.length === 0) this.state.store.remove('pods', pod);
      return;
    }
    this.stopping.add(uid);
    const names = (pod.spec?.containers ?? []).map(({ name }) => name);
    this.event(pod, 'Killing', `Stopping container ${names.join(', ')}`);
    this.later(pod, Math.min(STOP_SECONDS, deletionGracePeriodSeconds), (current) => {
      if ((current.metadata.finalizers ?? []).length > 0) this.end(current, 'Succeeded', 0);
      else this.state.store.remove('pods', current);
    });
  }

  /** Terminates the containers. */
  private end(pod: Pod, phase: string | undefined, exitCode: number): Pod {
    const { time } = this.state.timeline;
    const failure = exitCode === OUT_OF_MEMORY ? 'OOMKilled' : 'Error';
    const reason = exitCode === 0 ? 'Completed' : failure;
    const containers = containerStatuses(pod, ({ state, containerID }) => {
      const startedAt = state?.running?.startedAt ?? time;
      const terminated = { exitCode, reason, startedAt, finishedAt: time, containerID };
      return { state: { terminated }, ready: false, started: false };
    });
    return this.show(pod, containers, { phase });
  }

  private show(
    pod: Pod,
    containers: ContainerStatus[],
    change: { phase?: string; startTime?: string } = {},
  ): Pod {
    const node = this.nodeOf(pod);
    const { time } = this.state.timeline;
    const hostIP = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
    const podIP = pod.status?.podIP ?? (pod.spec?.hostNetwork === true ? hostIP : this.address(node));
    const status = { ...pod.status, ...change };
    const unready = containers.filter(({ ready }) => ready !== true).map(({ name }) => name);
    const message = `containers with unready status: [${unready.join(' ')}]`;
    const reason = hasEnded({ ...pod, status }) ? 'PodCompleted' : 'ContainersNotReady';
    const ready = unready.length === 0 ? { status: 'True' } : { status: 'False', reason, message };
    const conditions: Condition[] = [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', ...ready },
      { type: 'ContainersReady', ...ready },
    ];
    const initContainerStatuses = initStatuses({ ...pod, status }, time);
    return this.state.update<Pod>('pods', pod, {
      status: {
        ...status,
        conditions: withConditions(status.conditions, conditions, time),
        hostIP,
        podIP,
        podIPs: [{ ip: podIP }],
        ...(initContainerStatuses.length === 0 ? {} : { initContainerStatuses }),
        containerStatuses: containers,
      },
    });
  }

  private address(node: KubeNode | undefined): string {
    this.addresses += 1;
    const [a = '10', b = '244', c = '0'] = (node?.spec?.podCIDR ?? '').split('.');
    // A node of a kind cluster has 254 addresses; tests put more pods on it.
    const third = Number(c) + 8 * Math.floor(this.addresses / 250);
    return `${a || '10'}.${b}.${third % 256}.${(this.addresses % 250) + 2}`;
  }

  private nodeOf({ spec }: Pod): KubeNode | undefined {
    return this.state.store.get<KubeNode>('nodes', undefined, spec?.nodeName ?? '');
  }

  private event(pod: Pod, reason: string, message: string, container?: string, type?: 'Warning'): void {
    const fieldPath = container === undefined ? undefined : `spec.containers{${container}}`;
    this.state.event(pod, { type, reason, message, by: 'kubelet', host: pod.spec?.nodeName, fieldPath });
  }

  /** Continues with a pod after seconds of demo time, unless it was deleted or its node was restarted meanwhile. */
  private later(pod: Pod, seconds: number, run: (current: Pod) => void): void {
    const { uid = '', deletionTimestamp } = pod.metadata;
    const boot = this.boots.get(uid);
    this.state.timeline.after(seconds, () => {
      const current = this.state.current('pods', pod);
      if (!current) return;
      const outdated = current.metadata.deletionTimestamp !== undefined || this.boots.get(uid) !== boot;
      if (deletionTimestamp !== undefined || !outdated) run(current);
    });
  }
}

function isUp(node: KubeNode | undefined): boolean {
  return hasCondition(node?.status?.conditions, 'Ready');
}
