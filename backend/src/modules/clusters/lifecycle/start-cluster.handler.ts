import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import {
  type NodeContainer,
  retryWhileUnavailable,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
  type UndoContext,
} from '../../jobs/index.js';
import type { WantedPort } from '../../kind-config/index.js';
import { checkPort } from '../preflight/port-check.js';
import { PortHolders } from '../preflight/port-holders.js';
import { RecreateClusterHandler, type RecreationInput } from '../recreation/recreate-cluster.handler.js';
import { explainMissing } from '../inventory/describe-cluster.js';
import { ClusterNodes, eachNode, type LifecycleInput, type NodeProblem } from './cluster-nodes.js';
import { StartVerification } from './start-verification.js';
import { hasSeveralControlPlanes, startOrder } from '../inventory/node-order.js';

export interface StartClusterInput extends LifecycleInput {
  /** Set if the saved config was changed: recreates the cluster from it instead of starting the nodes. */
  reapply?: RecreationInput;
  /** Whether the saved config was changed but this start keeps the nodes, and so does not apply the change. */
  keepsChange?: boolean;
}

type Protocol = WantedPort['protocol'];

interface StartResult {
  started: string[];
  degraded: string | null;
}

@Injectable()
export class StartClusterHandler extends JobHandler<StartClusterInput> {
  override readonly kind = 'start';

  constructor(
    private readonly nodes: ClusterNodes,
    private readonly verification: StartVerification,
    private readonly recreation: RecreateClusterHandler,
    private readonly portHolders: PortHolders,
  ) {
    super();
  }

  override plan(input: StartClusterInput): JobStage[] {
    if (input.reapply) return this.recreation.plan(input.reapply);
    return [
      {
        steps: [
          { name: 'checks', title: 'Preflight checks', weight: 0.3 },
          {
            name: 'starting-nodes',
            title: `Starting ${counted(input.containers, 'node')}`,
            weight: 0.5 * input.containers,
          },
          this.verification.step(input.members),
        ],
        run: (context) => this.start(input, context),
        undo: (context) => this.nodes.reportState(input, context),
      },
    ];
  }

  override title({ name }: StartClusterInput): string {
    return `Start ${name}`;
  }

  override announce(input: StartClusterInput): string {
    return input.reapply ? this.recreation.announce(input.reapply) : super.announce(input);
  }

  override texts(
    { name, runtime, reapply, keepsChange = false }: StartClusterInput,
    conclusion: JobConclusion,
  ): OutcomeTexts {
    if (reapply) return this.recreation.texts(reapply, conclusion);
    const { started = [], degraded = null } = (conclusion.job.result ?? {}) as Partial<StartResult>;
    const pending = keepsChange ? ' The config change is not applied yet.' : '';
    const succeeded =
      degraded !== null
        ? `Started ${name} on ${runtime}, but it is degraded: ${degraded}.`
        : started.length === 0
          ? `${name} was already running.`
          : `Started ${counted(started.length, 'node')} of ${name} on ${runtime}.`;
    return {
      succeeded: succeeded + pending,
      completed: 'All nodes are running.',
      unfinished: 'Start it again to finish.',
    };
  }

  override async conclude({ reapply }: StartClusterInput, conclusion: JobConclusion): Promise<void> {
    // A start that keeps the nodes saves the metadata during the job.
    if (reapply) await this.recreation.conclude(reapply, conclusion);
  }

  /** Starts the remaining containers after a crash. `StateReview` checks the state of Kubernetes later. */
  override async recover(input: StartClusterInput, context: UndoContext): Promise<boolean> {
    if (input.reapply) return await this.recreation.recover(input.reapply, context);
    const runtime = await this.nodes.runtimeOf(input, context.signal);
    const failed = await this.startNodes(input, runtime, context);
    const moved = await this.verification.compareAddresses(input, context);
    for (const problem of [...failed.map(({ reason }) => reason), ...moved]) context.warn(`${problem}.`);
    if (failed.length > 0) await this.nodes.reportState(input, context);
    return failed.length === 0;
  }

  private async start(input: StartClusterInput, context: JobContext): Promise<void> {
    const runtime = await this.nodes.runtimeOf(input, context.signal);
    const nodes = await this.nodes.list(input, context.signal);
    const meta = await this.nodes.metaOf(input, nodes);
    const down = startOrder(nodes, meta.node_addresses).filter(({ state }) => state !== 'running');
    const missing = explainMissing(nodes, meta);
    for (const reason of missing) context.warn(`${reason}.`);
    context.result({ started: [], degraded: missing.join('; ') || null } satisfies StartResult);
    if (down.length === 0 && meta.degraded_reason === null) {
      context.log(`All nodes of ${input.name} are already running`);
      await this.nodes.updateMeta(input, nodes, { wanted: 'running' });
      return;
    }
    await this.assertPortsAreFree(input, down, runtime);
    context.step('starting-nodes');
    const problems = await this.startNodes(input, runtime, context);
    context.step('ready');
    const failed = new Set(problems.map(({ node }) => node));
    const started = down.map(({ name }) => name).filter((name) => !failed.has(name));
    const restarted = down.filter(({ name, state }) => started.includes(name) && state !== 'paused');
    const names = restarted.map(({ name }) => name);
    const reason = await this.verification.check(input, runtime, context, problems, names);
    const reasons = [...missing, ...(reason === null ? [] : [reason])];
    context.result({ started, degraded: reasons.join('; ') || null } satisfies StartResult);
  }

  private async startNodes(
    input: StartClusterInput,
    runtime: RuntimeDriver,
    context: UndoContext & Partial<Pick<JobContext, 'progress'>>,
  ): Promise<NodeProblem[]> {
    const nodes = await this.nodes.list(input, context.signal);
    const { node_addresses: recorded } = await this.nodes.metaOf(input, nodes);
    await this.nodes.updateMeta(input, nodes, { wanted: 'running' });
    const problems: NodeProblem[] = [];
    const several = hasSeveralControlPlanes(nodes);
    const down = startOrder(nodes, recorded).filter(({ state }) => state !== 'running');
    for (const [index, node] of down.entries()) {
      context.signal.throwIfAborted();
      context.progress?.(index / down.length, `${node.name}, ${index + 1} of ${down.length}`);
      const address = several ? recorded[node.name] : undefined;
      const failed = await eachNode([node], () =>
        address === undefined
          ? this.nodes.start(node, runtime, context.signal)
          : this.nodes.startOn(address, node, runtime, context),
      );
      problems.push(...failed);
      if (failed.length === 0) context.log(`Started ${node.name}`);
    }
    await this.nodes.enableAutoRestart(input, runtime, context.signal);
    return problems;
  }

  private async assertPortsAreFree(
    { name }: StartClusterInput,
    nodes: readonly NodeContainer[],
    runtime: RuntimeDriver,
  ): Promise<void> {
    // Nodes of the demo do not listen on ports.
    if (runtime.info().capabilities.provisioner === 'demo') return;
    const stopped = new Set(nodes.filter(({ state }) => state !== 'paused').map((node) => node.name));
    const settings = await retryWhileUnavailable(() => runtime.inspectNodes(name));
    const taken: string[] = [];
    for (const node of settings.filter((candidate) => stopped.has(candidate.name))) {
      for (const { hostAddress, hostPort, protocol } of node.ports) {
        // The engine chooses a free port at each start.
        if (hostPort === 0) continue;
        const port = {
          where: node.name,
          address: hostAddress,
          port: hostPort,
          protocol: protocol as Protocol,
        };
        if ((await checkPort(port)) === 'taken') {
          const holder = await this.portHolders.of(hostPort, protocol);
          const by = holder === null ? '' : ` by ${holder}`;
          taken.push(`Port ${hostPort} on ${hostAddress} is in use${by}, and ${node.name} needs it.`);
        }
      }
    }
    if (taken.length > 0) {
      throw new DomainError('port_taken', `${taken.join(' ')} Stop that program, and start ${name} again.`);
    }
  }
}
