import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type {
  ClusterReadiness,
  ClusterTarget,
  KubernetesGateway,
} from '../../../backend/src/drivers/kubernetes/index.js';
import { waitFor } from '../../support/wait-for.js';

export interface GatewayUnderTest {
  gateway: KubernetesGateway;
  /** A cluster with a control plane and a worker that is or becomes ready. */
  target: ClusterTarget;
  /** Stops the control plane. */
  break: () => Promise<void>;
  stop: () => Promise<void>;
}

/** The contract of KubernetesGateway. */
export function kubernetesGatewayContract(start: () => Promise<GatewayUnderTest>, deadlineMs = 20_000): void {
  let subject: GatewayUnderTest;
  const ask = (): Promise<ClusterReadiness> => subject.gateway.readiness(subject.target);

  beforeAll(async () => {
    subject = await start();
  }, deadlineMs);

  afterAll(async () => {
    subject.gateway.forget(subject.target.name, subject.target.runtime);
    await subject.stop();
  }, deadlineMs);

  it(
    'sees a cluster become ready: API, each node by name, DNS, and then no reason against it',
    async () => {
      let last: ClusterReadiness | undefined;
      await waitFor(
        async () => {
          last = await ask();
          return last.reason === null;
        },
        'readiness',
        deadlineMs - 2000,
      );
      expect(last).toMatchObject({ apiReady: true, dnsReady: true, reason: null });
      const { name } = subject.target;
      expect(last?.nodes.map((node) => node.name).sort()).toEqual([
        `${name}-control-plane`,
        `${name}-worker`,
      ]);
      expect(last?.nodes.every(({ ready, reason }) => ready && reason === null)).toBe(true);
    },
    deadlineMs,
  );

  it(
    'reconnects after forget',
    async () => {
      subject.gateway.forget(subject.target.name, subject.target.runtime);
      expect((await ask()).apiReady).toBe(true);
    },
    deadlineMs,
  );

  it(
    'reports a cluster that does not respond as not ready',
    async () => {
      await subject.break();
      const readiness = await ask();
      expect(readiness).toMatchObject({ apiReady: false, nodes: [], dnsReady: null });
      expect(readiness.reason).toMatch(/API server/);
      const resources = await subject.gateway.resources(subject.target);
      await expect(resources.table({ group: '', version: 'v1', plural: 'pods' })).rejects.toMatchObject({
        code: 'cluster_unreachable',
        message: expect.stringContaining('does not respond') as unknown,
      });
    },
    deadlineMs,
  );
}
