import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import type { ApiObject, Condition, ContainerStatus, KubeNode, Pod } from '../shapes.js';
import type { Controller } from './controller.js';
import { containerStatuses, hasEnded, initialStatuses, readiness, withConditions } from './pod-state.js';
import { programOf, pullFailure } from './programs.js';

/** Seconds of demo time. */
const CREATE_SECONDS = 1;
const START_SECONDS = 1;
const STOP_SECONDS = 1.5;
const PULL_AGAIN_SECONDS = 12;
/** Chances are in quarters of a second, so that what happens at once is dealt with at once. */
const QUARTERS = 4;
/** Real seconds between restarts, doubled each time: a demo that runs fast should not restart all the time. */
const FIRST_BACK_OFF_SECONDS = 10;
const LAST_BACK_OFF_SECONDS = 300;

/** Runs the pods of all nodes, on paper. */
export class Kubelet implements Controller {
  readonly type = 'pods';
  /** What was begun for a pod, by its uid. */
  private readonly begun = new Set<string>();
  private readonly stopping = new Set<string>();
  private readonly starts = new Map<string, string>();
  private addresses = 1;

  constructor(private readonly state: ClusterState) {}

  /** A node that comes back starts its pods again; one that is gone takes their readiness along. */
  concerned({ type, object, before }: Change): ApiObject[] {
    if (type !== 'nodes' || readyOf(object) === readyOf(before)) return [];
    return this.state.store
      .list('pods')
      .filter((pod) => (pod as Pod).spec?.nodeName === object.metadata.name);
  }

  removed({ metadata: { uid = '' } }: ApiObject): void {
    this.begun.delete(uid);
    this.stopping.delete(uid);
    this.starts.delete(uid);
  }

  reconcile(object: ApiObject): void {
    const pod = object as Pod;
    const { uid = '' } = pod.metadata;
    const node = pod.spec?.nodeName;
    if (node === undefined) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (this.stopping.has(uid)) return;
      this.stopping.add(uid);
      this.state.event(pod, {
        reason: 'Killing',
        message: `Stopping container ${containersOf(pod)}`,
        ...this.by(pod),
      });
      const grace = pod.metadata.deletionGracePeriodSeconds ?? 30;
      this.later(pod, Math.min(STOP_SECONDS, grace), (current) => this.stop(current));
      return;
    }
    if (hasEnded(pod)) return;
    const found = this.state.store.get<KubeNode>('nodes', undefined, node);
    const up = readyOf(found);
    if (!this.begun.has(uid)) {
      // A static pod is there before its node is ready.
      if (!up && pod.metadata.annotations?.['kubernetes.io/config.source'] !== 'file') return;
      this.begun.add(uid);
      this.starts.set(uid, startOf(found));
      this.begin(pod);
    } else if (!up) {
      this.lose(pod);
    } else if (this.starts.get(uid) !== startOf(found)) {
      this.starts.set(uid, startOf(found));
      this.run(pod, { again: true });
    } else if (
      pod.status?.phase === 'Running' &&
      pod.status.containerStatuses?.every(({ state }) => state?.running)
    ) {
      this.show(pod, {
        containers: containerStatuses(pod, ({ state }) => ({ state: state ?? {}, ready: true })),
      });
    }
  }

  private begin(pod: Pod): void {
    const containers = containerStatuses(pod, () => ({
      state: { waiting: { reason: 'ContainerCreating' } },
      ready: false,
      started: false,
    }));
    const current = this.show(pod, { phase: 'Pending', containers, startTime: this.state.timeline.time });
    this.later(current, CREATE_SECONDS + this.chance(), (created) => {
      if ((created.spec?.containers ?? []).some(({ image = '' }) => pullFailure(image) !== undefined)) {
        this.failPull(created, 'ErrImagePull');
        return;
      }
      for (const { image = '', name } of created.spec?.containers ?? []) {
        const fieldPath = `spec.containers{${name}}`;
        this.state.event(created, {
          reason: 'Pulled',
          message: `Container image "${image}" already present on machine`,
          fieldPath,
          ...this.by(created),
        });
        this.state.event(created, {
          reason: 'Created',
          message: `Created container: ${name}`,
          fieldPath,
          ...this.by(created),
        });
      }
      this.later(created, START_SECONDS + this.chance(), (started) => this.run(started));
    });
  }

  /** Starts the containers: at first, after a failure, or because their node was started. */
  private run(pod: Pod, { again = false }: { again?: boolean } = {}): void {
    const now = this.state.timeline.time;
    const containers = containerStatuses(pod, ({ state, lastState, restartCount = 0, containerID }) => {
      const ended = state?.terminated ?? lastState?.terminated;
      const lost =
        again && state?.running
          ? {
              exitCode: 255,
              reason: 'Unknown',
              startedAt: state.running.startedAt,
              finishedAt: now,
              containerID,
            }
          : undefined;
      const before = lost ?? ended;
      return {
        state: { running: { startedAt: now } },
        lastState: before ? { terminated: before } : {},
        restartCount: containerID === undefined ? 0 : restartCount + 1,
        ready: true,
        started: true,
        containerID: this.state.names.containerId(),
        imageID: 'sha256:'.padEnd(71, '5'),
      };
    });
    const current = this.show(pod, { phase: 'Running', containers, addressed: true });
    for (const { name } of containers) {
      this.state.event(current, {
        reason: 'Started',
        message: `Started container ${name}`,
        fieldPath: `spec.containers{${name}}`,
        ...this.by(current),
      });
    }
    const programs = (pod.spec?.containers ?? []).map((container) => programOf(container, pod));
    const shortest = programs.filter(({ seconds }) => seconds !== null);
    const failing = shortest.find(({ exitCode }) => exitCode !== 0);
    if (failing) {
      this.later(current, failing.seconds ?? 0, (running) => this.fail(running, failing.exitCode));
    } else if (shortest.length === programs.length && programs.length > 0) {
      const longest = Math.max(...shortest.map(({ seconds }) => seconds ?? 0));
      this.later(current, longest, (running) => this.complete(running, 'Succeeded', 0));
    }
  }

  private complete(pod: Pod, phase: 'Succeeded' | 'Failed', exitCode: number): void {
    const containers = this.terminated(pod, exitCode);
    this.show(pod, { phase, containers });
  }

  private fail(pod: Pod, exitCode: number): void {
    if (pod.spec?.restartPolicy === 'Never') {
      this.complete(pod, 'Failed', exitCode);
      return;
    }
    const failed = this.show(pod, { containers: this.terminated(pod, exitCode) });
    const restarts = failed.status?.containerStatuses?.[0]?.restartCount ?? 0;
    // The first restart comes at once.
    if (restarts === 0) {
      this.later(failed, START_SECONDS, (current) => this.run(current));
      return;
    }
    this.later(failed, START_SECONDS, (current) => this.backOff(current, restarts));
  }

  private backOff(pod: Pod, restarts: number): void {
    const seconds = Math.min(FIRST_BACK_OFF_SECONDS * 2 ** (restarts - 1), LAST_BACK_OFF_SECONDS);
    const { namespace = '', name, uid = '' } = pod.metadata;
    const waiting = (container: string): string =>
      `back-off ${duration(seconds)} restarting failed container=${container} pod=${name}_${namespace}(${uid})`;
    const containers = containerStatuses(pod, ({ name: container, state }) => ({
      state: { waiting: { reason: 'CrashLoopBackOff', message: waiting(container) } },
      lastState: state?.terminated ? { terminated: state.terminated } : {},
      ready: false,
      started: false,
    }));
    const current = this.show(pod, { containers });
    const [first] = containers;
    this.state.event(current, {
      type: 'Warning',
      reason: 'BackOff',
      message: `Back-off restarting failed container ${first?.name ?? ''} in pod ${name}_${namespace}(${uid})`,
      fieldPath: `spec.containers{${first?.name ?? ''}}`,
      ...this.by(current),
    });
    const { now } = this.state.timeline;
    // Of restarts that nobody saw, only their number counts.
    const unseen = Math.max(0, Math.floor((Date.now() - now) / (LAST_BACK_OFF_SECONDS * 1000)) - 1);
    this.state.timeline.at(now + (seconds + unseen * LAST_BACK_OFF_SECONDS) * 1000, () => {
      const waited = this.state.current('pods', current);
      if (!waited || waited.metadata.deletionTimestamp !== undefined) return;
      const counted = containerStatuses(waited, ({ restartCount = 0, state }) => ({
        state: state ?? {},
        restartCount: restartCount + unseen,
      }));
      this.run({ ...waited, status: { ...waited.status, containerStatuses: counted } });
    });
  }

  private failPull(pod: Pod, reason: 'ErrImagePull' | 'ImagePullBackOff'): void {
    const containers = containerStatuses(pod, ({ image = '' }) => {
      const why = pullFailure(image);
      const message =
        reason === 'ErrImagePull' ? why : `Back-off pulling image "${image}": ErrImagePull: ${why ?? ''}`;
      return {
        state: { waiting: why === undefined ? { reason: 'ContainerCreating' } : { reason, message } },
      };
    });
    const current = this.show(pod, { phase: 'Pending', containers, addressed: true });
    for (const { image = '', name } of current.spec?.containers ?? []) {
      const why = pullFailure(image);
      if (why === undefined) continue;
      const said = { fieldPath: `spec.containers{${name}}`, ...this.by(current) };
      if (reason === 'ErrImagePull') {
        this.state.event(current, { reason: 'Pulling', message: `Pulling image "${image}"`, ...said });
        this.state.event(current, {
          type: 'Warning',
          reason: 'Failed',
          message: `Failed to pull image "${image}": ${why}`,
          ...said,
        });
        this.state.event(current, {
          type: 'Warning',
          reason: 'Failed',
          message: 'Error: ErrImagePull',
          ...said,
        });
      } else {
        this.state.event(current, {
          reason: 'BackOff',
          message: `Back-off pulling image "${image}"`,
          ...said,
        });
        this.state.event(current, {
          type: 'Warning',
          reason: 'Failed',
          message: 'Error: ImagePullBackOff',
          ...said,
        });
      }
    }
    if (reason === 'ErrImagePull') {
      this.later(current, PULL_AGAIN_SECONDS, (later) => this.failPull(later, 'ImagePullBackOff'));
    }
  }

  private stop(pod: Pod): void {
    if ((pod.metadata.finalizers ?? []).length > 0) this.complete(pod, 'Succeeded', 0);
    else this.state.store.remove('pods', pod);
  }

  private lose(pod: Pod): void {
    const containers = containerStatuses(pod, ({ state }) => ({ state: state ?? {}, ready: false }));
    this.show(pod, { containers });
  }

  private terminated(pod: Pod, exitCode: number): ContainerStatus[] {
    return containerStatuses(pod, ({ state, containerID }) => ({
      state: {
        terminated: {
          exitCode,
          reason: exitCode === 0 ? 'Completed' : 'Error',
          startedAt: state?.running?.startedAt ?? this.state.timeline.time,
          finishedAt: this.state.timeline.time,
          containerID,
        },
      },
      ready: false,
      started: false,
    }));
  }

  private show(
    pod: Pod,
    { phase = pod.status?.phase ?? 'Pending', containers, startTime, addressed = false }: Shown,
  ): Pod {
    const node = this.state.store.get<KubeNode>('nodes', undefined, pod.spec?.nodeName ?? '');
    const hostIP = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
    const podIP = pod.status?.podIP ?? (addressed ? this.address(pod, node, hostIP) : undefined);
    const ended = phase === 'Succeeded' || phase === 'Failed';
    const initial = initialStatuses(pod, this.state.timeline.time, ended);
    const conditions: Condition[] = [
      ...(addressed ? [{ type: 'PodReadyToStartContainers', status: 'True' }] : []),
      { type: 'Initialized', status: 'True' },
      ...readiness(containers, ended),
      ...(pod.status?.conditions?.some(({ type }) => type === 'PodScheduled')
        ? []
        : [{ type: 'PodScheduled', status: 'True' }]),
    ];
    return this.state.update<Pod>('pods', pod, {
      status: {
        ...pod.status,
        phase,
        conditions: withConditions(pod.status?.conditions, conditions, this.state.timeline.time),
        hostIP,
        ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
        ...(startTime === undefined ? {} : { startTime }),
        ...(initial.length === 0 ? {} : { initContainerStatuses: initial }),
        containerStatuses: containers,
      },
    });
  }

  private address(pod: Pod, node: KubeNode | undefined, hostIP: string): string {
    if (pod.spec?.hostNetwork === true) return hostIP;
    this.addresses += 1;
    const [a = '10', b = '244', c = '0'] = (node?.spec?.podCIDR ?? '10.244.0.0/24').split('.');
    // A node of a kind cluster has 254 addresses; a test may put more pods on it.
    const third = Number(c) + 8 * Math.floor(this.addresses / 250);
    return `${a}.${b}.${third % 256}.${(this.addresses % 250) + 2}`;
  }

  private by({ spec }: Pod): { by: string; host: string | undefined } {
    return { by: 'kubelet', host: spec?.nodeName };
  }

  private chance(): number {
    return Math.floor(this.state.names.chance() * QUARTERS) / QUARTERS;
  }

  /** Goes on with a pod after a while, if it is still there and nobody wants it gone. */
  private later(pod: Pod, seconds: number, run: (current: Pod) => void): void {
    const leaving = pod.metadata.deletionTimestamp !== undefined;
    const start = this.starts.get(pod.metadata.uid ?? '');
    this.state.timeline.after(seconds, () => {
      const current = this.state.current('pods', pod);
      if (!current || (!leaving && current.metadata.deletionTimestamp !== undefined)) return;
      // Its node was started again meanwhile, and so was it.
      if (!leaving && this.starts.get(pod.metadata.uid ?? '') !== start) return;
      run(current);
    });
  }
}

interface Shown {
  phase?: string;
  containers: ContainerStatus[];
  startTime?: string;
  /** From when on it has an address. */
  addressed?: boolean;
}

function readyOf(node: KubeNode | undefined): boolean {
  return node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

/** Tells one run of a node from the next. */
function startOf(node: KubeNode | undefined): string {
  return node?.status?.nodeInfo?.['bootID'] ?? '';
}

function containersOf({ spec }: Pod): string {
  return (spec?.containers ?? []).map(({ name }) => name).join(', ');
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
