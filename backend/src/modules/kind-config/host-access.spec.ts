import { describe, expect, it } from '@jest/globals';
import { findHostAccess } from './host-access.js';
import { type KindConfig } from './kind-config.js';
import { parseKindConfig } from './parse-kind-config.js';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const REPOSITORY = 'docker.io/kindest/node';

function read(text: string): KindConfig {
  const { parsed, problems } = parseKindConfig(HEAD + text);
  if (!parsed) throw new Error(JSON.stringify(problems));
  return parsed.config;
}

describe('findHostAccess', () => {
  const found = (text: string): string[] =>
    findHostAccess(read(text), REPOSITORY).map(({ kind, path }) => `${kind} ${path}`);

  it('returns nothing for official images and loopback ports', () => {
    expect(found('')).toEqual([]);
    expect(
      found(`
nodes:
- role: control-plane
  image: kindest/node:v1.34.4
  extraPortMappings: [{ containerPort: 80, hostPort: 8080, listenAddress: "127.0.0.1" }]
- role: worker
  image: docker.io/kindest/node@sha256:${'a'.repeat(64)}
networking: { apiServerAddress: "::1" }`),
    ).toEqual([]);
  });

  it.each([
    [
      'nodes: [{ role: control-plane, extraMounts: [{ hostPath: /, containerPath: /host }] }]',
      'mount nodes[0].extraMounts[0]',
    ],
    [
      'nodes: [{ role: control-plane, image: "docker.io/kindest/node-evil:v1.34.4" }]',
      'image nodes[0].image',
    ],
    ['nodes: [{ role: control-plane, image: "evil.example/kindest/node:v1.34.4" }]', 'image nodes[0].image'],
    ['nodes: [{ role: control-plane, kubeadmConfigPatches: ["x"] }]', 'patch nodes[0].kubeadmConfigPatches'],
    ['kubeadmConfigPatchesJSON6902: [{ patch: "[]" }]', 'patch kubeadmConfigPatches'],
    ['containerdConfigPatchesJSON6902: ["[]"]', 'patch containerdConfigPatches'],
    ['networking: { apiServerAddress: 192.168.1.2 }', 'address networking.apiServerAddress'],
    [
      'nodes: [{ role: control-plane, extraPortMappings: [{ containerPort: 80, hostPort: 80 }] }]',
      'address nodes[0].extraPortMappings[0].hostPort',
    ],
    // kind or the engine chooses the port, but it is open to all addresses.
    [
      'nodes: [{ role: control-plane, extraPortMappings: [{ containerPort: 10250 }] }]',
      'address nodes[0].extraPortMappings[0]',
    ],
    [
      'nodes: [{ role: worker }, { role: control-plane, extraPortMappings: [{ containerPort: 80, hostPort: -1, listenAddress: "::" }] }]',
      'address nodes[1].extraPortMappings[0]',
    ],
  ])('finds host access in %s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });
});
