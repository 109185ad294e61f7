import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type {
  ClusterProvisioner,
  ClusterShape,
  CreateRequest,
} from '../../../backend/src/drivers/provisioner/index.js';
import type { RuntimeDriver } from '../../../backend/src/drivers/runtime/index.js';
import { removeCluster } from '../../support/runtime/remove-cluster.js';

export interface ProvisionerUnderTest {
  provisioner: ClusterProvisioner;
  runtime: RuntimeDriver;
  image: string;
  /** Runs a creation that fails halfway. */
  failing: (create: (config: { extra: string }) => Promise<void>) => Promise<void>;
  /** Whether the provisioner itself rejects a name that is taken. */
  refusesTakenNames: boolean;
  stop: () => Promise<void>;
}

/** The contract of ClusterProvisioner, with one control plane and one worker. */
export function clusterProvisionerContract(
  start: () => Promise<ProvisionerUnderTest>,
  deadlineMs = 20_000,
): void {
  const name = 'contract';
  const shape: ClusterShape = { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false };
  let subject: ProvisionerUnderTest;
  let folder: string;
  let kubeconfigFile: string;

  const nodeNames = async (): Promise<string[]> =>
    (await subject.runtime.listNodes()).filter(({ cluster }) => cluster === name).map((node) => node.name);
  const create = async (more: Partial<CreateRequest> = {}, extra = ''): Promise<void> => {
    const configFile = join(folder, 'cluster.yaml');
    const { image } = subject;
    await writeFile(
      configFile,
      `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: control-plane\n  image: ${image}\n- role: worker\n  image: ${image}\n${extra}`,
    );
    await subject.provisioner.create({
      name,
      configFile,
      kubeconfigFile,
      runtime: subject.runtime,
      shape,
      onStep: () => undefined,
      tracking: {},
      ...more,
    });
  };
  const remove = (): Promise<void> => removeCluster(subject.runtime, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'provisioner-'));
    kubeconfigFile = join(folder, 'private', 'kubeconfig');
    subject = await start();
  }, deadlineMs);

  afterAll(async () => {
    await subject.stop();
    await rm(folder, { recursive: true, force: true });
  }, deadlineMs);

  it('reports its status', async () => {
    const status = await subject.provisioner.status();
    expect(status.problem).toBeNull();
    expect(status.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(status.defaultTag).toMatch(/^v1\.\d+\.\d+/);
    expect(status.fittingTags).toContain(status.defaultTag);
  });

  it('lists the steps of a shape', () => {
    const names = (more: Partial<ClusterShape>): string[] =>
      subject.provisioner.steps({ ...shape, ...more }).map((step) => step.name);
    expect(names({})).toContain('joining-workers');
    expect(names({ workers: 0 })).not.toContain('joining-workers');
    expect(names({ withoutDefaultNetwork: true })).not.toContain('installing-cni');
    expect(names({ controlPlanes: 3 })).toEqual(
      expect.arrayContaining(['configuring-load-balancer', 'joining-control-planes']),
    );
    expect(new Set(names({ controlPlanes: 3 })).size).toBe(names({ controlPlanes: 3 }).length);
  });

  it(
    'creates a cluster and reports these steps in order',
    async () => {
      const steps: string[] = [];
      const lines: string[] = [];
      await create({
        onStep: (step) => steps.push(step),
        tracking: { onLine: ({ text }) => lines.push(text) },
      });
      expect(steps).toEqual(subject.provisioner.steps(shape).map((step) => step.name));
      expect(lines.some((line) => line.includes(`"${name}"`))).toBe(true);
      expect((await nodeNames()).sort()).toEqual([`${name}-control-plane`, `${name}-worker`]);
    },
    deadlineMs,
  );

  it('writes a private kubeconfig, and returns it again', async () => {
    expect((await stat(kubeconfigFile)).mode & 0o077).toBe(0);
    for (const text of [
      await readFile(kubeconfigFile, 'utf8'),
      (await subject.provisioner.kubeconfig(name, subject.runtime)).text,
    ]) {
      const config = parse(text) as {
        'current-context': string;
        clusters: { cluster: { server: string } }[];
      };
      expect(config['current-context']).toBe(`kind-${name}`);
      expect(config.clusters[0]?.cluster.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    }
  });

  it(
    'changes nothing if the name is taken',
    async () => {
      if (subject.refusesTakenNames) {
        await expect(create()).rejects.toMatchObject({
          failure: 'failed',
          stderr: expect.stringContaining('already exist for a cluster'),
        });
      }
      expect(await nodeNames()).toHaveLength(2);
    },
    deadlineMs,
  );

  it('rejects the kubeconfig of a cluster that does not exist', async () => {
    await remove();
    await expect(subject.provisioner.kubeconfig(name, subject.runtime)).rejects.toThrow();
  });

  it(
    'reports why a creation fails, and keeps its nodes',
    async () => {
      await subject.failing(({ extra }) => create({}, extra));
      expect(await nodeNames()).toHaveLength(2);
      await remove();
      expect(await nodeNames()).toEqual([]);
    },
    deadlineMs,
  );

  it(
    'stops when cancelled',
    async () => {
      const cancel = new AbortController();
      const creating = create({
        onStep: (step) => {
          if (step === 'starting-control-plane') cancel.abort(new Error('cancelled'));
        },
        tracking: { signal: cancel.signal },
      });
      await expect(creating).rejects.toThrow();
      await remove();
      expect(await nodeNames()).toEqual([]);
    },
    deadlineMs,
  );
}
