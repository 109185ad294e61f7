import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { CommandError } from '../../drivers/process/index.js';
import { GatewaySelector } from '../../drivers/kubernetes/index.js';
import { ProvisionerSelector, type ClusterShape } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry, type RuntimeDriver } from '../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobLogLine,
  type JobPlan,
  type JobStage,
  type UndoContext,
} from '../jobs/index.js';
import { ClusterRemoval, counted, describeRemoval } from './cluster-removal.js';
import { ClusterStore } from './cluster.store.js';
import { imagesOf, type KindConfig } from './kind-config/kind-config.js';
import { parseKindConfig } from './kind-config/parse-kind-config.js';
import { patiently } from './patiently.js';
import { Preflight } from './preflight.js';
import { toProvisionLog } from './provision-log.js';
import { ReadinessWait, type ReadinessGoal } from './readiness-wait.js';

export interface CreateClusterInput {
  name: string;
  runtime: string;
  shape: ClusterShape;
  /** Whether the node images were here when it was asked for: a pull changes what the percentage means. */
  imagesPresent: boolean;
  keepOnFailure: boolean;
  /** Shown in the journal. */
  version: string | null;
}

const IMAGE_STEP = 'node-image';
/** kind makes no container before it announces this one. */
const NODES_STEP = 'preparing-nodes';
const KUBECONFIG_STEP = 'kubeconfig';

/** Creates a cluster from its saved config. */
@Injectable()
export class CreateClusterHandler extends JobHandler<CreateClusterInput> {
  override readonly kind = 'create';

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly gateways: GatewaySelector,
    private readonly store: ClusterStore,
    private readonly preflight: Preflight,
    private readonly removal: ClusterRemoval,
    private readonly readiness: ReadinessWait,
  ) {
    super();
  }

  override plan(input: CreateClusterInput): JobPlan {
    const runtime = this.runtimes.get(input.runtime);
    return {
      keepOnFailure: input.keepOnFailure,
      stages: [
        {
          steps: [{ name: 'checks', title: 'Checks before anything is made', weight: 0.5 }],
          run: (context) => this.check(input, runtime, context),
        },
        {
          steps: [{ name: IMAGE_STEP, title: 'Node image', weight: input.imagesPresent ? 0.2 : 40 }],
          run: (context) => this.pull(input, runtime, context),
        },
        this.provisionStage(input, runtime),
        {
          steps: [{ name: KUBECONFIG_STEP, title: 'Kubeconfig', weight: 0.2 }],
          run: () => this.keepKubeconfig(input, runtime),
        },
        {
          steps: [this.readiness.step(readinessGoal(input))],
          run: (context) => this.waitUntilReady(input, runtime, context),
        },
      ],
    };
  }

  override announce({ name, runtime, shape }: CreateClusterInput): string {
    return `Creating ${name} with ${describeShape(shape)} on ${runtime}.`;
  }

  override describe(
    { shape, runtime, version, keepOnFailure }: CreateClusterInput,
    _job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const at = conclusion.step === null ? 'before it began' : `at ${conclusion.step}`;
    const undone = conclusion.undone.join(' ');
    switch (conclusion.ending) {
      case 'succeeded':
        return `Created with ${describeShape(shape)}${version ? ` of ${version}` : ''} on ${runtime}.`;
      case 'cancelled':
        return `Cancelled ${at}. ${undone || 'Nothing had been made.'}`;
      case 'interrupted':
        return conclusion.whole
          ? `Interrupted ${at} by a restart of Slipway. The cluster was whole by then and stays.`
          : `Interrupted ${at} by a restart of Slipway. ${undone || 'Nothing had been made.'}`;
      case 'failed':
        return `Failed ${at}: ${sentence(conclusion.reason ?? 'the reason is not known')} ${keepOnFailure && undone === '' ? 'The nodes were kept.' : undone}`.trim();
    }
  }

  override async conclude(
    input: CreateClusterInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    const { ending, whole, step } = conclusion;
    // A cancelled first creation leaves no trace but in the journal.
    if (ending === 'cancelled' && job.error === null) {
      await this.store.remove(input);
      return;
    }
    const endedAt = new Date().toISOString();
    const outcome = job.error !== null && ending === 'cancelled' ? 'failed' : ending;
    await this.store.writeProvisionLog(input, toProvisionLog(job, outcome, log, endedAt));
    const meta = await this.store.read(input);
    if (!meta) return;
    const made = ending === 'succeeded' || whole;
    await this.store.writeMeta({
      ...meta,
      creation: made ? 'created' : 'failed',
      creation_reason: made ? null : reasonFor(conclusion, step),
      creation_ended_at: endedAt,
      nodes_kept: ending === 'failed' && input.keepOnFailure,
      nodes_begun: job.steps.some(({ name: step, state }) => step === NODES_STEP && state !== 'pending'),
      config_changed: made ? false : meta.config_changed,
      node_addresses: made ? await this.addressesOf(input) : {},
    });
  }

  override async recover(input: CreateClusterInput, context: UndoContext): Promise<boolean> {
    const runtime = this.runtimes.get(input.runtime);
    const finished = context.job.steps.some(
      (step) => step.name === KUBECONFIG_STEP && step.state !== 'pending',
    );
    if (finished && (await this.isWhole(input, runtime))) {
      await this.keepKubeconfig(input, runtime);
      return true;
    }
    // Until kind was at work nothing was made. What bears the name now was made by somebody else meanwhile.
    if (this.hasBegunNodes(input, runtime, context.job)) await this.rollBack(input, runtime, context);
    return false;
  }

  /** A step is written as begun before its program starts, so none that began can be missed. */
  private hasBegunNodes({ shape }: CreateClusterInput, runtime: RuntimeDriver, job: Readonly<Job>): boolean {
    const own = new Set(
      this.provisioners
        .for(runtime)
        .steps(shape)
        .map(({ name }) => name),
    );
    return job.steps.some(({ name, state }) => own.has(name) && state !== 'pending');
  }

  private async check(input: CreateClusterInput, runtime: RuntimeDriver, context: JobContext): Promise<void> {
    const { name, shape } = input;
    const { version } = await patiently(() => runtime.probe(), context.signal);
    const provisioner = await this.provisioners.for(runtime).status();
    if (provisioner.problem) {
      throw new DomainError(
        'provisioner_unavailable',
        `${provisioner.problem.reason} Get it from ${provisioner.problem.fix}`,
      );
    }
    context.log(
      `${runtime.id} ${version} answers, ${provisioner.name} ${provisioner.version ?? ''} makes the nodes`,
    );
    const { containers } = await patiently(() => runtime.remainsOf(name), context.signal);
    if (containers.length > 0) {
      throw new DomainError(
        'cluster_exists',
        `${runtime.id} already holds containers of a cluster called ${name}: ${containers.join(', ')}.`,
      );
    }
    const taken = await this.preflight.takenPorts(await this.readConfig(input));
    if (taken.length > 0) {
      throw new DomainError(
        'config_refused',
        `${taken.map(({ problem }) => problem).join('; ')}. End it, or choose other ports.`,
      );
    }
    for (const finding of await this.preflight.host(runtime, shape)) {
      if (finding.level === 'ok') context.log(`${finding.title}: ${finding.message}`);
      else context.warn(`${finding.title}: ${finding.message}.${finding.fix ? ` ${finding.fix}` : ''}`);
    }
  }

  private async pull(input: CreateClusterInput, runtime: RuntimeDriver, context: JobContext): Promise<void> {
    const images = imagesOf(await this.readConfig(input));
    for (const [index, image] of images.entries()) {
      if (await patiently(() => runtime.hasImage(image), context.signal)) {
        context.log(`${image} is here already`);
        continue;
      }
      context.log(`Pulling ${image}`);
      await runtime.pullImage(
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
      context.log(`${image} is pulled`);
    }
  }

  private provisionStage(input: CreateClusterInput, runtime: RuntimeDriver): JobStage {
    const provisioner = this.provisioners.for(runtime);
    let begun = false;
    return {
      steps: provisioner.steps(input.shape),
      run: async (context) => {
        begun = true;
        try {
          await provisioner.create({
            name: input.name,
            configFile: await this.store.configFile(input),
            kubeconfigFile: await this.store.kubeconfigFile(input),
            runtime,
            shape: input.shape,
            keepOnFailure: input.keepOnFailure,
            onStep: (step) => context.step(step),
            tracking: context.tracking(),
          });
        } catch (error) {
          // Somebody else made a cluster of this name between our check and kind's: it is not ours to remove.
          if (error instanceof CommandError && error.stderr.includes('already exist for a cluster')) {
            begun = false;
          }
          throw error;
        }
      },
      undo: async (context) => {
        if (begun) await this.rollBack(input, runtime, context);
      },
    };
  }

  private async rollBack(
    { name }: CreateClusterInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<void> {
    context.log('Removing what was made');
    const removed = await this.removal.remove(name, runtime, {
      tracking: context.tracking(),
      log: context.log,
    });
    this.forget(name, runtime);
    context.undone(describeRemoval(removed));
  }

  private async keepKubeconfig(input: CreateClusterInput, runtime: RuntimeDriver): Promise<void> {
    // kind wrote the file; writing it again makes sure of its mode and that it is whole on disk.
    const written = await this.store.readKubeconfig(input);
    const text = written?.includes('clusters:')
      ? written
      : await this.provisioners.for(runtime).kubeconfig(input.name, runtime);
    await this.store.writeKubeconfig(input, text);
  }

  private async waitUntilReady(
    input: CreateClusterInput,
    runtime: RuntimeDriver,
    context: JobContext,
  ): Promise<void> {
    const kubeconfig = (await this.store.readKubeconfig(input)) ?? '';
    const target = { name: input.name, kubeconfig };
    const missing = await this.readiness.wait(runtime, target, readinessGoal(input), context);
    if (missing !== null) throw new DomainError('cluster_unreachable', `${missing}.`);
  }

  private async isWhole({ name, shape }: CreateClusterInput, runtime: RuntimeDriver): Promise<boolean> {
    const nodes = (await patiently(() => runtime.listNodes())).filter(
      (node) => node.cluster === name && node.role !== 'external-load-balancer',
    );
    return (
      nodes.length === shape.controlPlanes + shape.workers && nodes.every((node) => node.state === 'running')
    );
  }

  /** For the comparison after a later start; a cluster without it is as good. */
  private async addressesOf({ name, runtime }: CreateClusterInput): Promise<Record<string, string>> {
    const nodes = await patiently(async () => await this.runtimes.get(runtime).listNodes()).catch(() => []);
    return Object.fromEntries(
      nodes.filter((node) => node.cluster === name).map((node) => [node.name, node.address ?? '']),
    );
  }

  private forget(name: string, runtime: RuntimeDriver): void {
    this.gateways.for(runtime.info().capabilities.provisioner).forget(name, runtime.id);
  }

  private async readConfig(input: CreateClusterInput): Promise<KindConfig> {
    const { parsed, problems } = parseKindConfig((await this.store.readConfig(input)) ?? '');
    if (!parsed) {
      throw new DomainError(
        'config_refused',
        `The saved config of ${input.name} cannot be used: ${problems.map(({ problem }) => problem).join('; ')}.`,
        problems,
      );
    }
    return parsed.config;
  }
}

function readinessGoal({ shape }: CreateClusterInput): ReadinessGoal {
  return {
    nodes: shape.controlPlanes + shape.workers,
    withoutDefaultNetwork: shape.withoutDefaultNetwork,
  };
}

function describeShape({ controlPlanes, workers }: ClusterShape): string {
  const parts = [counted(controlPlanes, 'control plane'), counted(workers, 'worker')];
  return parts.filter((part) => part !== '').join(' and ');
}

function reasonFor({ ending, reason }: JobConclusion, step: string | null): string {
  const at = step === null ? 'before it began' : `at ${step}`;
  if (ending === 'interrupted') return `interrupted ${at} by a restart of Slipway`;
  return `${at}: ${(reason ?? 'the reason is not known').replace(/\.$/, '')}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
