import { Injectable } from '@nestjs/common';
import { DomainError, asSentence, hasCode, reasonOf } from '../../core/errors/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import type { PodContainer, PodName, ResourceApi } from '../../drivers/kubernetes/index.js';
import { RuntimeRegistry, type RunningProgram } from '../../drivers/runtime/index.js';
import { ClustersService, type ClusterKey } from '../clusters/index.js';
import { externalError, ExternalClustersService } from '../external-clusters/index.js';
import { ClusterResources } from '../resources/index.js';
import { ContainerEnd } from './container-end.js';
import { addDebugContainer, waitForContainer } from './debug-containers.js';
import { END_MS, endProgram } from './end-program.js';
import { END_OF_CONTAINER, endOfSession, meansNoShell, SHELL_COMMAND } from './shell-command.js';
import { required, type ShellQueryDto } from './shell-query.dto.js';
import { readPid } from './shell-start.js';

/** A shell that has started. */
export interface Shell {
  program: RunningProgram;
  /** The container of a Pod; null in a node. */
  container: string | null;
  /**
   * Ends the processes of the shell.
   * @param exited whether the user has ended it, which leaves programs in the background running
   * @throws Error if that fails, such as after the end of the container
   */
  end: (exited: boolean) => Promise<void>;
  /** How what it ran in has ended, as a part of a sentence; null if that still runs. */
  endOfPlace: () => Promise<string | null>;
}

/** A place for a shell, before it starts. */
export interface ShellPlace {
  key: ClusterKey;
  /** The Pod or node. */
  subject: string;
  /** For the journal: `container web of Pod shop/web-1`. */
  where: string;
  /** @throws DomainError `resource_refused` if no shell starts; with the detail `no_shell` if the image has none */
  start: (onProgress: (message: string) => void) => Promise<Shell>;
}

/** Starts shells in containers and nodes. */
@Injectable()
export class ShellsService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly resources: ClusterResources,
    private readonly runtimes: RuntimeRegistry,
    private readonly external: ExternalClustersService,
  ) {}

  /**
   * Checks where a shell shall run.
   * @throws DomainError `invalid_input`, `resource_not_found`, `resource_refused` if the container does not run, and what
   * opening a cluster throws; of a cluster of a kubeconfig `changes_off`, or `cluster_external` for a node
   */
  async find(cluster: string, query: ShellQueryDto): Promise<ShellPlace> {
    const isExternal = query.runtime === undefined || query.runtime === EXTERNAL_RUNTIME;
    if (isExternal && this.external.find(cluster)) {
      if (query.target === 'node') throw externalError(cluster);
      await this.external.assertChanges(cluster);
    }
    if (query.target === 'node') return await this.inNode(cluster, query);
    const pod = { namespace: required(query, 'namespace'), name: required(query, 'pod') };
    const logs = await this.resources.podLogs(cluster, query.runtime);
    const { containers } = await logs.find(pod);
    const container = chosen(containers, query.container, pod);
    const { cluster: found, api } = await this.resources.open(cluster, query.runtime);
    const of = { key: { name: found.name, runtime: found.runtime }, subject: pod.name };
    return query.target === 'debug'
      ? { ...of, ...debugging(api, pod, container, required(query, 'image')) }
      : { ...of, ...inContainer(api, pod, container) };
  }

  private async inNode(cluster: string, query: ShellQueryDto): Promise<ShellPlace> {
    const { name, runtime } = await this.clusters.get(cluster, query.runtime);
    const driver = this.runtimes.get(runtime);
    const wanted = required(query, 'node');
    const node = (await driver.listNodes()).find((one) => one.cluster === name && one.name === wanted);
    if (!node) throw new DomainError('resource_not_found', `${wanted} is not a node of cluster ${name}.`);
    return {
      key: { name, runtime },
      subject: node.name,
      where: `node ${node.name}`,
      start: async () => {
        const program = await driver.runInTerminal(node.id, SHELL_COMMAND);
        const pid = await started(program, `node ${node.name}`);
        const end = async (exited: boolean): Promise<void> => {
          if (!exited) await driver.execInNode(node.id, endOfSession(pid), END_MS);
        };
        const endOfPlace = async (): Promise<string | null> => {
          const now = (await driver.listNodes()).find(({ id }) => id === node.id);
          return now?.state === 'running' ? null : `the node is ${now?.state ?? 'deleted'}`;
        };
        return { program, container: null, end, endOfPlace };
      },
    };
  }
}

function inContainer(
  api: ResourceApi,
  pod: PodName,
  { name: container, running, waiting }: PodContainer,
): Pick<ShellPlace, 'where' | 'start'> {
  const where = `container ${container} of Pod ${pod.namespace}/${pod.name}`;
  if (!running) {
    throw new DomainError(
      'resource_refused',
      `Could not open a shell in ${where}. It does not run${waiting === null ? '' : `: ${waiting}`}. A debug container shows its volumes and network.`,
    );
  }
  return {
    where,
    start: async () => {
      const watched = await ContainerEnd.watch(api, pod, container);
      const program = await api.exec(pod, { container, command: SHELL_COMMAND, tty: true, stdin: true });
      const pid = await started(program, where);
      const end = async (exited: boolean): Promise<void> => {
        if (!exited) await endProgram(api, pod, container, endOfSession(pid));
      };
      return { program, container, end, endOfPlace: () => watched.describe() };
    },
  };
}

function debugging(
  api: ResourceApi,
  pod: PodName,
  { name, running }: PodContainer,
  image: string,
): Pick<ShellPlace, 'where' | 'start'> {
  return {
    where: `a debug container (${image}) of Pod ${pod.namespace}/${pod.name}`,
    start: async (onProgress) => {
      const debug = { pod, image, target: name, isRunning: running };
      onProgress(`Starting a debug container with the image ${image}.`);
      const container = await addDebugContainer(api, debug);
      const end = (): Promise<void> => endProgram(api, pod, container, END_OF_CONTAINER);
      // Also if the client leaves meanwhile: only a container that runs can be ended.
      await waitForContainer(api, debug, container);
      try {
        const watched = await ContainerEnd.watch(api, pod, container);
        const program = await api.exec(pod, { container, command: SHELL_COMMAND, tty: true, stdin: true });
        await started(program, `debug container ${container}`);
        return { program, container, end, endOfPlace: () => watched.describe() };
      } catch (error) {
        await end().catch(() => undefined);
        throw error;
      }
    },
  };
}

/** @throws DomainError `resource_refused` */
async function started(program: RunningProgram, where: string): Promise<number> {
  try {
    return await readPid(program);
  } catch (error) {
    if (hasCode(error, 'runtime_unavailable', 'cluster_unreachable')) throw error;
    const reason = reasonOf(error);
    const noShell = meansNoShell(reason);
    throw new DomainError(
      'resource_refused',
      noShell
        ? `Could not open a shell in ${where}. Its image has no shell.`
        : `Could not open a shell in ${where}: ${asSentence(reason.slice(0, 500))}`,
      { no_shell: noShell },
    );
  }
}

/** The named container, or the first one that is not for the initialization. */
function chosen(containers: readonly PodContainer[], name: string | undefined, pod: PodName): PodContainer {
  const found =
    name === undefined
      ? (containers.find(({ role }) => role === 'main') ?? containers[0])
      : containers.find((container) => container.name === name);
  if (found) return found;
  const names = containers.map((container) => container.name).join(', ');
  throw new DomainError(
    'resource_not_found',
    `Pod ${pod.namespace}/${pod.name} has no container ${name ?? ''}. Available: ${names || 'none'}.`,
  );
}
