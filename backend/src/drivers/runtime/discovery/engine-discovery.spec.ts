import { describe, expect, it } from '@jest/globals';
import {
  dockerContext as context,
  fakeHost as machine,
  type Layout,
} from '../../../../../test/support/runtime/fake-host.js';
import { readConfiguration } from '../../../core/config/index.js';
import { EngineDiscovery, type Finding } from './engine-discovery.js';

describe('an engine that is not found', () => {
  const find = (engine: 'docker' | 'podman', installed: boolean, layout: Layout = {}): Promise<Finding> => {
    const configuration = readConfiguration({}, layout.platform ?? 'linux');
    return new EngineDiscovery(configuration, machine(layout), () => Promise.resolve(installed)).find(engine);
  };

  it('is not on the machine', async () => {
    expect(await find('docker', false)).toMatchObject({
      driver: undefined,
      reason: 'docker is not installed.',
      fix: null,
    });
  });

  it('is Podman with its program and without its API socket', async () => {
    expect(await find('podman', true)).toMatchObject({
      reason: 'podman is installed, but its API socket is not running.',
      fix: 'systemctl --user enable --now podman.socket',
    });
  });

  it.each([
    ['linux', 'sudo systemctl start docker'],
    ['darwin', 'open -a Docker'],
  ] as const)('is Docker that is not running, on %s', async (platform, fix) => {
    expect(await find('docker', true, { platform })).toMatchObject({
      reason: 'docker is installed, but its engine is not running.',
      fix,
    });
  });

  it('has a socket that does not respond, which the reason names', async () => {
    const home = '/nowhere/at/all';
    const socket = `${home}/.rd/docker.sock`;
    const finding = await find('docker', true, { sockets: [socket], home });
    expect(finding.reason).toBe(
      `docker at ${socket} is not available: its socket does not exist; the engine is not running.`,
    );
    expect(finding.attempts).toMatchObject([{ source: 'Rancher Desktop', address: socket, answered: false }]);
  });

  it('has a folder where its socket should be', async () => {
    const finding = await find('docker', true, { folders: ['/var/run/docker.sock'] });
    expect(finding).toMatchObject({
      reason: 'docker at /var/run/docker.sock is not available: the path is a folder.',
      fix: 'Remove the folder and start the engine: sudo rmdir /var/run/docker.sock && sudo systemctl start docker',
    });
  });

  it('has a chosen context that leads elsewhere: that is the reason', async () => {
    const finding = await find('docker', true, {
      files: context('/home/me/.docker', 'far', 'ssh://me@far.example'),
    });
    expect(finding.reason).toMatch(/docker context "far" points to ssh:\/\/me@far\.example/);
    expect(finding.attempts).toHaveLength(1);
  });
});
