import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { ClusterProvisioner, ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { JobsService } from '../../jobs/index.js';
import type { KindConfig } from '../../kind-config/index.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClaimedPorts } from '../preflight/claimed-ports.js';
import { PortHolders } from '../preflight/port-holders.js';
import { Preflight } from '../preflight/preflight.js';
import { CreationChecks } from './creation-checks.js';

const CONFIG: KindConfig = {
  kind: 'Cluster',
  apiVersion: 'kind.x-k8s.io/v1alpha4',
  nodes: [{ role: 'control-plane' }, { role: 'control-plane' }, { role: 'worker' }],
};

describe('CreationChecks', () => {
  let runtime: FakeRuntime;
  let checks: CreationChecks;

  beforeEach(() => {
    runtime = new FakeRuntime();
    const status = {
      name: 'kind 0.33.0',
      version: '0.33.0',
      problem: null,
      defaultTag: null,
      fittingTags: [],
      kubernetesRange: null,
      loadBalancerImage: null,
    };
    const provisioner = strictFake(ClusterProvisioner, { status: () => Promise.resolve(status) });
    checks = new CreationChecks(
      strictFake(ClustersService, { list: () => Promise.resolve([]) }),
      strictFake(JobsService, { assertIdle: () => undefined }),
      strictFake(ProvisionerSelector, { for: () => provisioner }),
      strictFake(Preflight, {
        takenPorts: () => Promise.resolve([]),
        host: () => Promise.resolve([]),
        nodeImages: () => [],
        ipv6Places: (config: KindConfig) => new Preflight().ipv6Places(config, { lo: [] }),
      }),
      strictFake(ClaimedPorts, { warnings: () => Promise.resolve([]) }),
      strictFake(PortHolders, {}),
    );
  });

  it.each(['shop-control-plane', 'shop-control-plane2', 'shop-worker', 'shop-external-load-balancer'])(
    'name a container of another program that is called %s',
    async (container) => {
      runtime.foreign.push(container, 'shop-worker2', 'shop');
      const { problems } = await checks.findings({ name: 'shop', runtime, config: CONFIG });
      expect(problems).toEqual([
        expect.objectContaining({
          field: 'name',
          problem: `docker already has a container called ${container}, which another program created. Choose another name, or remove it: docker rm -f ${container}`,
        }),
      ]);
      expect(problems[0]?.error.code).toBe('cluster_exists');
    },
  );

  it('accept the nodes that are replaced, and containers with other names', async () => {
    runtime.foreign.push('shop-control-plane3', 'other-control-plane');
    const node = runningNode('shop-control-plane', { cluster: 'shop' });
    runtime.nodes = [node];
    const existing = { nodes: [node], replaced: [node] };
    const { problems } = await checks.findings({ name: 'shop', runtime, config: CONFIG, existing });
    expect(problems).toEqual([]);
  });

  // Case K10.
  it('refuse an IPv6 cluster on a machine without IPv6, unless Slipway is in a container', async () => {
    const networking = { ipFamily: 'ipv6' };
    const { problems } = await checks.findings({ name: 'six', runtime, config: { ...CONFIG, networking } });
    expect(problems.map(({ field, problem, error }) => [field, problem, error.message])).toEqual([
      [
        'networking.apiServerAddress',
        'this machine has no IPv6, which the address ::1 needs',
        'this machine has no IPv6, which the address ::1 needs. Enable IPv6, or use ipFamily: ipv4 and an IPv4 address.',
      ],
    ]);
    runtime.ownContainer = { ports: [], gateways: [] };
    const inside = await checks.findings({ name: 'six', runtime, config: { ...CONFIG, networking } });
    expect(inside.problems).toEqual([]);
  });
});
