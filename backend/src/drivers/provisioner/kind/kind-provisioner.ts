import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DomainError } from '../../../core/errors/index.js';
import { ClusterKubeconfig } from '../../kubernetes/index.js';
import type { ProcessRunner } from '../../process/index.js';
import type { RuntimeDriver } from '../../runtime/index.js';
import {
  ClusterProvisioner,
  type ClusterShape,
  type CreateRequest,
  type LoadRequest,
  type ProvisionerStatus,
  type ProvisionStep,
} from '../cluster-provisioner.js';
import { kindSteps, stepOfLine } from '../kind-steps.js';
import { KindProgram } from './kind-program.js';

/** A creation with twenty workers on a slow disk takes minutes; beyond this it will not end by itself. */
const CREATE_TIMEOUT_MS = 30 * 60_000;
/** Ten gigabytes into a node on a slow disk. */
const LOAD_TIMEOUT_MS = 30 * 60_000;
const READ_TIMEOUT_MS = 20_000;

/**
 * Makes clusters with the kind program.
 *
 * What shapes the calls: kind prints its steps on stderr and has one exit status for every failure; it
 * does not act on signals, so a cancelled creation is cleaned up by whoever cancelled it; and it locks
 * the kubeconfig file that it writes without ever clearing a stale lock (kubernetes-sigs/kind#1425), so
 * each cluster has a file of its own.
 */
export class KindProvisioner extends ClusterProvisioner {
  override readonly kind = 'kind';
  private readonly program: KindProgram;

  constructor(private readonly processes: ProcessRunner) {
    super();
    this.program = new KindProgram(processes);
  }

  status(): Promise<ProvisionerStatus> {
    return this.program.status();
  }

  steps(shape: ClusterShape): ProvisionStep[] {
    return kindSteps(shape);
  }

  async create(request: CreateRequest): Promise<void> {
    await this.assertUsable();
    await mkdir(dirname(request.kubeconfigFile), { recursive: true, mode: 0o700 });
    await rm(`${request.kubeconfigFile}.lock`, { force: true });
    // A line that looks like a step of another shape is only a line.
    const steps = new Set(kindSteps(request.shape).map(({ name }) => name));
    await this.processes.run({
      program: 'kind',
      args: [
        'create',
        'cluster',
        `--name=${request.name}`,
        `--config=${request.configFile}`,
        `--kubeconfig=${request.kubeconfigFile}`,
        // kind's own wait looks at control planes only and succeeds when it runs out; readiness is checked after.
        '--wait=0s',
        // On a failure kind deletes every container with the cluster's label, also those of somebody else.
        '--retain',
      ],
      ...this.common(request.runtime),
      ...request.tracking,
      timeoutMs: CREATE_TIMEOUT_MS,
      workingDirectory: dirname(request.configFile),
      onLine: (line) => {
        request.tracking.onLine?.(line);
        const step = line.stream === 'stderr' ? stepOfLine(line.text) : undefined;
        if (step && steps.has(step)) request.onStep(step);
      },
    });
  }

  async kubeconfig(name: string, runtime: RuntimeDriver): Promise<ClusterKubeconfig> {
    const { stdout } = await this.processes.run({
      program: 'kind',
      args: ['get', 'kubeconfig', `--name=${name}`],
      ...this.common(runtime),
      timeoutMs: READ_TIMEOUT_MS,
    });
    // kind prints what it finds in the node.
    return ClusterKubeconfig.parse(stdout);
  }

  /**
   * By an archive with Docker too: `kind load docker-image` calls the program `docker` whatever the engine
   * is (kubernetes-sigs/kind#2027), and a node at a time tells which one failed, which kind's own loop does not.
   */
  async loadArchive({ name, node, archiveFile, runtime, tracking }: LoadRequest): Promise<void> {
    await this.assertUsable();
    await this.processes.run({
      program: 'kind',
      args: ['load', 'image-archive', `--name=${name}`, `--nodes=${node}`, '--', archiveFile],
      ...this.common(runtime),
      ...tracking,
      timeoutMs: LOAD_TIMEOUT_MS,
    });
  }

  private async assertUsable(): Promise<void> {
    const { problem } = await this.status();
    if (!problem) return;
    throw new DomainError('provisioner_unavailable', `${problem.reason} Get it from ${problem.fix}`, problem);
  }

  private common(runtime: RuntimeDriver): { environment: Record<string, string> } {
    const { provider, environment } = runtime.provider();
    return { environment: { ...environment, KIND_EXPERIMENTAL_PROVIDER: provider } };
  }
}
