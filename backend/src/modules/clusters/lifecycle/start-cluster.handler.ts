import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  type NodeContainer,
  retryWhileUnavailable,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobLogLine,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { counted } from '../deletion/index.js';
import type { WantedPort } from '../../kind-config/index.js';
import { checkPort, PortHolders } from '../preflight/index.js';
import { Recreation, type RecreationInput } from '../recreation/index.js';
import { ClusterNodes, eachNode, type NodeProblem } from './cluster-nodes.js';
import { StartVerification } from './start-verification.js';
import { hasSeveralControlPlanes, startOrder } from '../inventory/index.js';

export interface StartClusterInput {
  name: string;
  runtime: string;
  /** Containers and Kubernetes nodes when it was asked for: they give the steps their titles. */
  containers: number;
  members: number;
  /** Where the saved config was changed: the cluster is made again from it, in place of starting its nodes. */
  reapply?: RecreationInput;
  /** The saved config was changed, and the nodes are kept: the change is not applied by this start. */
  keepsChange?: boolean;
}

type Protocol = WantedPort['protocol'];

/** What a start did, as the job's result carries it. */
interface StartResult {
  started: string[];
  degraded: string | null;
}

/** Starts what does not run of a cluster, and waits until it is ready. */
@Injectable()
export class StartClusterHandler extends JobHandler<StartClusterInput> {
  override readonly kind = 'start';

  constructor(
    private readonly nodes: ClusterNodes,
    private readonly verification: StartVerification,
    private readonly recreation: Recreation,
    private readonly portHolders: PortHolders,
  ) {
    super();
  }

  override plan(input: StartClusterInput): JobPlan {
    return input.reapply ? this.recreation.plan(input.reapply) : this.planStarting(input);
  }

  private planStarting(input: StartClusterInput): JobPlan {
    return {
      stages: [
        {
          steps: [
            { name: 'checks', title: 'Checks before anything is started', weight: 0.3 },
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
      ],
    };
  }

  override announce({ name, runtime, reapply }: StartClusterInput): string {
    return reapply ? this.recreation.announce(reapply) : `Starting ${name} on ${runtime}.`;
  }

  override describe(
    { runtime, reapply, keepsChange = false }: StartClusterInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    if (reapply) return this.recreation.describe(reapply, job, conclusion);
    const { started = [], degraded = null } = (job.result ?? {}) as Partial<StartResult>;
    const at = conclusion.step === null ? 'before it began' : `at ${conclusion.step}`;
    const left = conclusion.undone.join(' ');
    const pending = keepsChange ? ' The changed config is not applied yet.' : '';
    switch (conclusion.outcome) {
      case 'succeeded':
        if (degraded !== null) return `Started on ${runtime}, but it is degraded: ${degraded}.${pending}`;
        return started.length === 0
          ? `It was running already.${pending}`
          : `Started: ${counted(started.length, 'node')} on ${runtime}.${pending}`;
      case 'cancelled':
        return `Cancelled ${at}. ${left}`.trim();
      case 'interrupted':
        return conclusion.completed
          ? `Interrupted ${at} by a restart of Slipway, then finished: all nodes run.`
          : `Interrupted ${at} by a restart of Slipway. ${left || 'Start it again to finish.'}`;
      case 'failed':
        return `Not started: ${conclusion.reason ?? 'the reason is not known'} ${left}`.trim();
    }
  }

  override async conclude(
    { reapply }: StartClusterInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    // What is kept of a plain start is kept as it goes, so that a crash leaves it true.
    if (reapply) await this.recreation.conclude(reapply, job, conclusion, log);
  }

  /** A start that was begun is finished as far as containers go; whether Kubernetes follows shows by itself. */
  override async recover(input: StartClusterInput, context: UndoContext): Promise<boolean> {
    if (input.reapply) return await this.recreation.recover(input.reapply, context);
    if (context.job.started_at === null) return false;
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
    const { degraded_reason: degraded, node_addresses: recorded } = await this.nodes.record(input, nodes);
    const down = startOrder(nodes, recorded).filter(({ state }) => state !== 'running');
    context.result({ started: [], degraded: null } satisfies StartResult);
    if (down.length === 0 && degraded === null) {
      context.log(`All nodes of ${input.name} run already`);
      await this.nodes.keep(input, nodes, { wanted: 'running' });
      return;
    }
    await this.assertPortsAreFree(input, down, runtime);
    context.step('starting-nodes');
    const problems = await this.startNodes(input, runtime, context);
    context.step('ready');
    const failed = new Set(problems.map(({ node }) => node));
    const started = down.map(({ name }) => name).filter((name) => !failed.has(name));
    const anew = down.filter(({ name, state }) => started.includes(name) && state !== 'paused');
    const names = anew.map(({ name }) => name);
    const reason = await this.verification.check(input, runtime, context, problems, names);
    context.result({ started, degraded: reason } satisfies StartResult);
  }

  /** @returns what could not be started. */
  private async startNodes(
    input: StartClusterInput,
    runtime: RuntimeDriver,
    context: UndoContext & Partial<Pick<JobContext, 'progress'>>,
  ): Promise<NodeProblem[]> {
    const nodes = await this.nodes.list(input, context.signal);
    const { node_addresses: recorded } = await this.nodes.record(input, nodes);
    await this.nodes.keep(input, nodes, { wanted: 'running' });
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
      if (failed.length === 0) context.log(`${node.name} is started`);
    }
    await this.nodes.enableAutoRestart(input, runtime, context.signal);
    return problems;
  }

  private async assertPortsAreFree(
    { name }: StartClusterInput,
    nodes: readonly NodeContainer[],
    runtime: RuntimeDriver,
  ): Promise<void> {
    // A node on paper listens nowhere.
    if (runtime.info().capabilities.provisioner === 'demo') return;
    const ended = new Set(nodes.filter(({ state }) => state !== 'paused').map((node) => node.name));
    const settings = await retryWhileUnavailable(() => runtime.inspectNodes(name));
    const taken: string[] = [];
    for (const node of settings.filter((candidate) => ended.has(candidate.name))) {
      for (const { hostAddress, hostPort, protocol } of node.ports) {
        // The engine chooses one anew at each start.
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
          taken.push(`Port ${hostPort} on ${hostAddress} is taken${by}, and ${node.name} needs it.`);
        }
      }
    }
    if (taken.length > 0) {
      throw new DomainError(
        'port_taken',
        `${taken.join(' ')} End what listens there, and start ${name} again.`,
      );
    }
  }
}
