import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import { CommandError } from '../../../drivers/process/index.js';
import {
  type ClusterProvisioner,
  type CreateRequest,
  ProvisionerSelector,
} from '../../../drivers/provisioner/index.js';
import {
  type NodeContainer,
  retryWhileUnavailable,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import type { Job, JobContext, JobStage, UndoContext } from '../../jobs/index.js';
import { ClusterRemoval, describeRemoval } from '../deletion/cluster-removal.js';
import { divide, jobObjectsOf } from '../deletion/ownership.js';
import { addressesOf } from '../inventory/node-order.js';
import { ClusterHooks } from '../inventory/cluster-hooks.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { kindConfigYaml, requiredImages } from '../../kind-config/index.js';
import { containerdFailure } from './containerd-failure.js';
import { withLocalTags } from './local-tags.js';
import { ReadinessWait } from './readiness-wait.js';
import { CreationChecks } from './creation-checks.js';
import type { CreationInput, ReplacedNode } from './creation-input.js';
import { readSavedConfig } from './saved-config.js';
import { pollDuring } from './poll-during.js';

/** Result of the jobs that create a cluster. */
export interface CreationResult {
  /** Why the cluster is degraded. */
  degraded?: string;
}

/** kind creates no containers before this step. */
const NODES_STEP = 'preparing-nodes';
const KUBECONFIG_STEP = 'kubeconfig';

/** Error of Docker and Podman for a container name in use, with the id of the container that uses it. */
const NAME_IN_USE = /is already in use by (?:container )?"?([0-9a-f]{12,64})/;

/** Whether a job creates a cluster, so that its log is the provision log of the cluster. */
export function createsNodes(job: Readonly<Job>): boolean {
  return job.steps.some(({ name }) => name === NODES_STEP);
}

/** The stages of all jobs that create a cluster from its saved config: creations and recreations. */
@Injectable()
export class CreationStages {
  /** Jobs that created nodes but no longer own any, until they are concluded. */
  private readonly withoutNodes = new Set<number>();

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly gateways: GatewaySelector,
    private readonly store: ClusterStore,
    private readonly checks: CreationChecks,
    private readonly removal: ClusterRemoval,
    private readonly hooks: ClusterHooks,
    private readonly readiness: ReadinessWait,
  ) {}

  /**
   * Checks that change nothing, so that problems are found before anything is created or deleted.
   * @param replaced nodes that are removed first. Other nodes with this cluster name prevent the creation.
   */
  before(input: CreationInput, replaced: readonly ReplacedNode[] = []): JobStage[] {
    const runtime = this.runtimes.get(input.runtime);
    return [
      {
        steps: [{ name: 'checks', title: 'Preflight checks', weight: 0.5 }],
        run: (context) => this.check(input, runtime, replaced, context),
      },
      {
        steps: [{ name: 'node-image', title: 'Node image', weight: input.imagesPresent ? 0.2 : 40 }],
        run: (context) => this.pull(input, runtime, context),
      },
    ];
  }

  creating(input: CreationInput): JobStage[] {
    const runtime = this.runtimes.get(input.runtime);
    return [
      this.provision(input, runtime),
      {
        steps: [{ name: KUBECONFIG_STEP, title: 'Kubeconfig', weight: 0.2 }],
        run: (context) => this.persistArtifacts(input, runtime, context),
      },
      {
        steps: [this.readiness.step(membersOf(input), input.shape.withoutDefaultNetwork)],
        run: (context) => this.waitUntilReady(input, runtime, context),
      },
    ];
  }

  /** Whether a job may have left nodes: it started to create them, and was not rolled back. */
  mayHaveNodes(job: Readonly<Job>): boolean {
    if (this.withoutNodes.delete(job.id)) return false;
    return hasBegunNodes(job);
  }

  /** After a crash: keeps a complete cluster, and rolls back an incomplete one. @returns whether it is complete. */
  async reconcile(input: CreationInput, context: UndoContext): Promise<boolean> {
    const runtime = this.runtimes.get(input.runtime);
    const finished = context.job.steps.some(
      ({ name, state }) => name === KUBECONFIG_STEP && state !== 'pending',
    );
    if (finished && (await this.isComplete(input, runtime, context))) {
      await this.persistArtifacts(input, runtime, context);
      return true;
    }
    if (this.wasProvisioning(input, runtime, context.job)) await this.rollBack(input, runtime, context);
    return false;
  }

  /** Addresses to compare after a later start. Optional, so errors are ignored. */
  async addressesOf({ name, runtime }: CreationInput): Promise<Record<string, string>> {
    const nodes = await retryWhileUnavailable(async () => await this.runtimes.get(runtime).listNodes()).catch(
      () => [],
    );
    return addressesOf(nodes.filter((node) => node.cluster === name));
  }

  /** Reliable after a crash: a step is saved as running before its program starts. */
  private wasProvisioning({ shape }: CreationInput, runtime: RuntimeDriver, job: Readonly<Job>): boolean {
    const own = new Set(
      this.provisioners
        .for(runtime)
        .steps(shape)
        .map(({ name }) => name),
    );
    return job.steps.some(({ name, state }) => own.has(name) && state !== 'pending');
  }

  private async check(
    input: CreationInput,
    runtime: RuntimeDriver,
    replaced: readonly ReplacedNode[],
    context: JobContext,
  ): Promise<void> {
    const { name, acceptCgroupV1 } = input;
    const nodes = await this.nodesOf(name, runtime, context.signal);
    const config = await readSavedConfig(this.store, input);
    const existing = { nodes, replaced };
    const { provisioner, warnings, host, problems } = await retryWhileUnavailable(
      () => this.checks.findings({ name, runtime, config, existing, acceptCgroupV1 }),
      context.signal,
    );
    if (problems[0]) throw problems[0].error;
    context.log(
      `Engine: ${runtime.id} ${runtime.info().version}; provisioner: ${provisioner.name} ${provisioner.version ?? ''}`,
    );
    for (const warning of warnings) context.warn(warning);
    for (const finding of host) {
      if (finding.level === 'ok') context.log(`${finding.title}: ${finding.message}`);
      else context.warn(`${finding.title}: ${finding.message}.${finding.fix ? ` ${finding.fix}` : ''}`);
    }
  }

  private async pull(input: CreationInput, runtime: RuntimeDriver, context: JobContext): Promise<void> {
    const config = await readSavedConfig(this.store, input);
    const images = requiredImages(config, await this.provisioners.for(runtime).status());
    for (const [index, image] of images.entries()) {
      if (await retryWhileUnavailable(() => runtime.hasImage(image), context.signal)) {
        context.log(`${image} is already present`);
        continue;
      }
      context.log(`Pulling ${image}`);
      const pull = runtime.pullImage(
        image,
        ({ pulledBytes, totalBytes, layers, layersDone }) => {
          const share = totalBytes === 0 ? 0 : pulledBytes / totalBytes;
          context.progress(
            (index + share) / images.length,
            `${megabytes(pulledBytes)} of ${megabytes(totalBytes)} MB, ${layersDone} of ${layers} layers`,
          );
        },
        context.signal,
      );
      await pull.catch(async (error: unknown) => {
        throw await withLocalTags(error, image, runtime);
      });
      context.log(`Pulled ${image}`);
    }
  }

  private provision(input: CreationInput, runtime: RuntimeDriver): JobStage {
    const provisioner = this.provisioners.for(runtime);
    let started = false;
    return {
      steps: provisioner.steps(input.shape),
      run: async (context) => {
        const request: CreateRequest = {
          name: input.name,
          configFile: await this.store.configFile(input),
          kubeconfigFile: await this.store.kubeconfigFile(input),
          runtime,
          shape: input.shape,
          onStep: (step) => context.step(step),
          tracking: context.tracking(),
        };
        started = true;
        try {
          await this.create(request, provisioner, context);
        } catch (error) {
          if (await this.lostNameRace(error, request, context)) started = false;
          throw started ? await withContainerdFailure(error, request) : error;
        }
      },
      keepOnFailure: input.keepOnFailure,
      undo: async (context) => {
        if (started) await this.rollBack(input, runtime, context);
      },
    };
  }

  /** Records each new node as created by this job. */
  private async create(
    request: CreateRequest,
    provisioner: ClusterProvisioner,
    context: JobContext,
  ): Promise<void> {
    const { objects } = context;
    const { name, runtime, shape } = request;
    const expected = shape.controlPlanes + shape.workers + (shape.controlPlanes > 1 ? 1 : 0);
    const record = async (): Promise<boolean> => {
      const { own } = divide(await runtime.objectsOf(name), 'create', objects);
      objects.record('create', jobObjectsOf(own));
      return own.containers.length >= expected;
    };
    objects.beginCreation(runtime.info().clockOffsetMs);
    await pollDuring(record, async () => {
      try {
        await provisioner.create(request);
      } finally {
        objects.endCreation();
      }
    });
  }

  /**
   * Whether another program created a cluster with this name at the same time. Its nodes cannot be distinguished from
   * those of this job, so none of them are removed.
   */
  private async lostNameRace(
    error: unknown,
    { name, runtime }: CreateRequest,
    context: JobContext,
  ): Promise<boolean> {
    if (!(error instanceof CommandError)) return false;
    const { containers } = await runtime.objectsOf(name).catch(() => ({ containers: [] }));
    const holder = NAME_IN_USE.exec(error.stderr)?.[1];
    const taken = holder !== undefined && containers.some(({ id }) => id.startsWith(holder));
    if (!taken && !error.stderr.includes('already exist for a cluster')) return false;
    context.objects.disown();
    this.withoutNodes.add(context.job.id);
    const names = containers.map((container) => container.name).join(', ');
    context.warn(
      `Not removed: ${names || 'the containers of this name'}. Another program created a cluster called ${name} at the same time, and its containers cannot be distinguished from those of this job. Check them, and delete those that you do not need.`,
    );
    return true;
  }

  private async rollBack(
    { name }: CreationInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<void> {
    context.log('Removing the new nodes');
    const removed = await this.removal.remove(name, runtime, 'create', context);
    this.withoutNodes.add(context.job.id);
    this.gateways.for(runtime.info().capabilities.provisioner).forget(name, runtime.id);
    context.undone(describeRemoval(removed));
  }

  private async persistArtifacts(
    input: CreationInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<void> {
    // kind copied the file from the node, and may have been interrupted.
    const written = await this.store.readKubeconfig(input).catch(() => undefined);
    const kubeconfig = written ?? (await this.provisioners.for(runtime).kubeconfig(input.name, runtime));
    await this.store.writeKubeconfig(input, kubeconfig);
    await this.store.keepApplied(input);
    await this.hooks.afterCreation(input, kubeconfig, context);
  }

  private async waitUntilReady(
    input: CreationInput,
    runtime: RuntimeDriver,
    context: JobContext,
  ): Promise<void> {
    const kubeconfig = await this.store.readKubeconfig(input);
    if (!kubeconfig) throw new DomainError('kubeconfig_not_found', `${input.name} has no kubeconfig.`);
    const target = { name: input.name, kubeconfig };
    const impediments = await kindConfigYaml.impedimentsOf(await readSavedConfig(this.store, input));
    const goal = { nodes: membersOf(input), impediments };
    const unready = await this.readiness.wait(runtime, target, goal, context);
    if (unready === null) return;
    if (!unready.answered) throw new DomainError('cluster_unreachable', `${unready.reason}.`);
    // As after `kind create cluster`: the user may add what is missing.
    context.warn(`${unready.reason}.`);
    context.result({ degraded: unready.reason } satisfies CreationResult);
  }

  private async nodesOf(
    name: string,
    runtime: RuntimeDriver,
    signal?: AbortSignal,
  ): Promise<NodeContainer[]> {
    const nodes = await retryWhileUnavailable(() => runtime.listNodes(), signal);
    return nodes.filter(({ cluster }) => cluster === name);
  }

  private async isComplete(
    { name, shape }: CreationInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<boolean> {
    const { own } = await this.removal.find(name, runtime, 'create', context);
    const nodes = (await this.nodesOf(name, runtime)).filter(
      ({ id, role }) =>
        role !== 'external-load-balancer' && own.containers.some((container) => container.id === id),
    );
    return (
      nodes.length === shape.controlPlanes + shape.workers && nodes.every((node) => node.state === 'running')
    );
  }
}

/** kubeadm waits for the kubelet and does not know why it cannot start. */
async function withContainerdFailure(error: unknown, { name, runtime }: CreateRequest): Promise<unknown> {
  if (!(error instanceof CommandError) || error.failure !== 'failed') return error;
  const reason = await containerdFailure(name, runtime);
  const message = `${reason ?? ''}. ${error.message}.`;
  return reason === undefined
    ? error
    : new DomainError('command_failed', message, undefined, { cause: error });
}

function membersOf({ shape }: CreationInput): number {
  return shape.controlPlanes + shape.workers;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/** Whether a creation came to the step that creates nodes. */
export function hasBegunNodes({ steps }: Pick<Job, 'steps'>): boolean {
  return steps.some(({ name, state }) => name === NODES_STEP && state !== 'pending');
}
