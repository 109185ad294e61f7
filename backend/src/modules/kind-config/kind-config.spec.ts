import { describe, expect, it } from '@jest/globals';
import { requiredImages, wantedPorts, type KindConfig } from './kind-config.js';
import { parseKindConfig } from './parse-kind-config.js';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

function read(text: string): KindConfig {
  const { parsed, problems } = parseKindConfig(HEAD + text);
  if (!parsed) throw new Error(JSON.stringify(problems));
  return parsed.config;
}

describe('requiredImages', () => {
  const configOf = (controlPlanes: number): KindConfig => ({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: Array.from({ length: controlPlanes }, () => ({ role: 'control-plane', image: 'node:v1' })),
  });
  const loadBalancerImage = 'balancer:v1';

  it('includes the load balancer of several control planes', () => {
    expect(requiredImages(configOf(1), { loadBalancerImage })).toEqual(['node:v1']);
    expect(requiredImages(configOf(3), { loadBalancerImage })).toEqual(['node:v1', loadBalancerImage]);
  });

  it('omits the load balancer if its image is unknown', () => {
    expect(requiredImages(configOf(3), { loadBalancerImage: null })).toEqual(['node:v1']);
  });
});

describe('wantedPorts', () => {
  it('returns fixed host ports of the API server and of every node', () => {
    const config = read(`
networking: { apiServerPort: 6443 }
nodes:
- role: control-plane
  extraPortMappings: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 81 }, { containerPort: 82, hostPort: 0 }]
- role: worker
  extraPortMappings: [{ containerPort: 53, hostPort: 53, protocol: UDP, listenAddress: "127.0.0.1" }]`);
    expect(
      wantedPorts(config).map(({ address, port, protocol }) => `${address} ${port} ${protocol}`),
    ).toEqual(['127.0.0.1 6443 TCP', '0.0.0.0 8080 TCP', '127.0.0.1 53 UDP']);
  });
});
