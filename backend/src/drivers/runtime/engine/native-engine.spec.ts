import { describe, expect, it } from '@jest/globals';
import type { EngineInfo } from './engine-responses.js';
import type { EngineCandidate, EngineEndpoint } from '../host/engine-candidate.js';
import { isNative, type Machine } from './native-engine.js';

const MACHINE: Machine = { platform: 'linux', hostname: 'laptop', kernel: '6.8.0-60-generic' };
const INFO: EngineInfo = {
  OperatingSystem: 'Ubuntu 24.04.2 LTS',
  KernelVersion: '6.8.0-60-generic',
  Name: 'laptop',
};

function native(
  endpoint: string | EngineEndpoint,
  info: EngineInfo = {},
  { source = 'default socket', ...machine }: Partial<Machine> & { source?: string } = {},
): boolean {
  const candidate: EngineCandidate = {
    endpoint: typeof endpoint === 'string' ? { type: 'socket', path: endpoint } : endpoint,
    source,
    environment: {},
  };
  return isNative(candidate, { ...INFO, ...info }, { ...MACHINE, ...machine });
}

describe('isNative', () => {
  it.each([
    '/var/run/docker.sock',
    '/run/user/1000/docker.sock',
    '/run/podman/podman.sock',
    '/run/user/1000/podman/podman.sock',
  ])('accepts the engine of this machine at %s', (path) => {
    expect(native(path)).toBe(true);
  });

  it.each([
    '/home/me/.docker/run/docker.sock',
    '/home/me/.docker/desktop/docker.sock',
    '/home/me/.orbstack/run/docker.sock',
    '/home/me/.rd/docker.sock',
    '/home/me/.colima/default/docker.sock',
    '/home/me/.config/colima/work/docker.sock',
    '/home/me/.lima/docker/sock/docker.sock',
    '/home/me/.local/share/containers/podman/machine/podman.sock',
    '/tmp/podman/podman-machine-default-api.sock',
    '/mnt/wsl/podman-sockets/podman-machine-default/podman-root.sock',
  ])('rejects the socket of a virtual machine at %s', (path) => {
    expect(native(path)).toBe(false);
  });

  it.each<[string, EngineInfo]>([
    ['Docker Desktop', { OperatingSystem: 'Docker Desktop' }],
    ['OrbStack', { OperatingSystem: 'OrbStack' }],
    ['Rancher Desktop under WSL', { OperatingSystem: 'Rancher Desktop WSL Distribution' }],
    ['Colima, by its host name', { Name: 'colima' }],
    ['podman machine, by its host name', { Name: 'localhost.localdomain' }],
    ['another kernel', { KernelVersion: '6.12.5-linuxkit' }],
    ['an unknown kernel', { KernelVersion: undefined }],
    ['an unknown host name', { Name: undefined }],
  ])('rejects %s behind the default socket', (_what, info) => {
    expect(native('/var/run/docker.sock', info)).toBe(false);
  });

  it('rejects an engine that a context names after a virtual machine', () => {
    expect(native('/opt/sockets/docker.sock', {}, { source: 'docker context "colima"' })).toBe(false);
  });

  it('rejects an engine at tcp://, also on loopback', () => {
    expect(native({ type: 'tcp', host: '127.0.0.1', port: 2375, tls: null })).toBe(false);
  });

  it.each(['darwin', 'win32'] as const)('rejects every engine on %s', (platform) => {
    expect(native('/var/run/docker.sock', {}, { platform })).toBe(false);
  });
});
