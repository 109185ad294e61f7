import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ClusterKubeconfig } from '../../kubernetes/index.js';
import type { ProcessRequest, ProcessResult, ProcessRunner } from '../../process/index.js';
import type { RuntimeDriver } from '../../runtime/index.js';
import {
  assertUsable,
  ClusterProvisioner,
  type ClusterShape,
  type CreateRequest,
  type LoadRequest,
  type ProvisionerStatus,
  type ProvisionStep,
} from '../cluster-provisioner.js';
import { isStepLine, kindSteps, stepOfLine } from '../kind-steps.js';
import { KindProgram } from './kind-program.js';

/** A creation with 20 workers on a slow disk takes minutes. */
const CREATE_TIMEOUT_MS = 30 * 60_000;
/** For 10 GB on a slow disk. */
const LOAD_TIMEOUT_MS = 30 * 60_000;
const READ_TIMEOUT_MS = 20_000;

/**
 * Creates clusters with kind.
 *
 * kind prints its steps on stderr and has one exit status for all failures. It ignores signals, so the
 * caller has to clean up a cancelled creation. It never removes a stale lock of a kubeconfig file
 * (kubernetes-sigs/kind#1425), so each cluster has its own file.
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

  async create({ name, configFile, kubeconfigFile, ...request }: CreateRequest): Promise<void> {
    assertUsable(await this.status());
    await mkdir(dirname(kubeconfigFile), { recursive: true, mode: 0o700 });
    await rm(`${kubeconfigFile}.lock`, { force: true });
    const steps = new Set(kindSteps(request.shape).map((step) => step.name));
    const args = ['create', 'cluster', `--name=${name}`, `--config=${configFile}`];
    await this.run(request.runtime, {
      args: [
        ...args,
        `--kubeconfig=${kubeconfigFile}`,
        // kind only waits for control planes, and ignores a timeout. Slipway waits for the nodes itself.
        '--wait=0s',
        // After a failure, kind would delete all containers with the label of the cluster, even foreign ones.
        '--retain',
      ],
      ...request.tracking,
      timeoutMs: CREATE_TIMEOUT_MS,
      workingDirectory: dirname(configFile),
      onLine: (line) => {
        const isStep = line.stream === 'stderr' && isStepLine(line.text);
        if (!isStep) request.tracking.onLine?.(line);
        const step = line.stream === 'stderr' ? stepOfLine(line.text) : undefined;
        if (step && steps.has(step)) request.onStep(step);
      },
    });
  }

  async kubeconfig(name: string, runtime: RuntimeDriver): Promise<ClusterKubeconfig> {
    const args = ['get', 'kubeconfig', `--name=${name}`];
    const { stdout } = await this.run(runtime, { args, timeoutMs: READ_TIMEOUT_MS });
    return ClusterKubeconfig.parse(stdout);
  }

  /**
   * `kind load docker-image` always runs the program `docker`, whatever the engine (kubernetes-sigs/kind#2027), so images
   * are loaded from archives. One node per call shows which node fails.
   */
  async loadArchive({ name, node, archiveFile, runtime, tracking }: LoadRequest): Promise<void> {
    assertUsable(await this.status());
    const args = ['load', 'image-archive', `--name=${name}`, `--nodes=${node}`, '--', archiveFile];
    await this.run(runtime, { args, ...tracking, timeoutMs: LOAD_TIMEOUT_MS });
  }

  private run(runtime: RuntimeDriver, request: Omit<ProcessRequest, 'program'>): Promise<ProcessResult> {
    const { provider, environment } = runtime.provider();
    return this.processes.run({
      ...request,
      program: 'kind',
      environment: { ...environment, KIND_EXPERIMENTAL_PROVIDER: provider },
    });
  }
}
