import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  dockerContext,
  fakeHost,
  HOSTNAME,
  KERNEL,
  type Layout,
} from '../../../../../test/support/runtime/fake-host.js';
import type { EngineInfo } from '../engine/engine-responses.js';
import type { SurveyedEngine } from '../runtime-registry.js';
import { EngineSurvey } from './engine-survey.js';

const NATIVE: EngineInfo = { OperatingSystem: 'Ubuntu 24.04.2 LTS', KernelVersion: KERNEL, Name: HOSTNAME };
const DEFAULT = '/var/run/docker.sock';
const DESKTOP = '/home/me/.docker/desktop/docker.sock';

const SSH_CONFIG = `Host builder
  HostName 192.0.2.7
Host other default
  HostName="127.0.0.1"
  Port 2222
`;

interface Situation extends Layout {
  /** Responses by path; a missing one never comes. */
  responses?: Record<string, EngineInfo | Error>;
  dockerHost?: string;
  podmanSocket?: string;
}

function surveyOf(situation: Situation): { survey: EngineSurvey; asked: string[] } {
  const asked: string[] = [];
  const { dockerHost = '', podmanSocket = '' } = situation;
  const survey = new EngineSurvey(fakeHost(situation), { dockerHost, podmanSocket }, async (path) => {
    asked.push(path);
    const response = situation.responses?.[path];
    if (response instanceof Error) throw response;
    return response ?? (await new Promise<never>(() => undefined));
  });
  return { survey, asked };
}

/** Repeats the look, and lets responses arrive. */
async function look(survey: EngineSurvey): Promise<void> {
  jest.advanceTimersByTime(1000);
  await survey.look();
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

function placements(survey: EngineSurvey): [address: string, placement: string][] {
  return survey.engines().map(({ address, placement }) => [address, placement]);
}

function connection(uri: string, isMachine = false): Record<string, string> {
  const Connections = { dev: { URI: uri, Identity: '/k', IsMachine: isMachine } };
  return {
    '/home/me/.config/containers/podman-connections.json': JSON.stringify({
      Connection: { Default: 'dev', Connections },
    }),
  };
}

describe('EngineSurvey', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[string, Situation, [address: string, placement: string][]]>([
    ['nothing', {}, []],
    [
      'a native engine at its default path',
      { sockets: [DEFAULT], responses: { [DEFAULT]: NATIVE } },
      [[DEFAULT, 'native']],
    ],
    [
      'both engines of the user',
      {
        sockets: ['/run/user/1000/docker.sock', '/run/user/1000/podman/podman.sock'],
        responses: { '/run/user/1000/docker.sock': NATIVE, '/run/user/1000/podman/podman.sock': NATIVE },
      },
      [
        ['/run/user/1000/docker.sock', 'native'],
        ['/run/user/1000/podman/podman.sock', 'native'],
      ],
    ],
    ['an engine that does not respond', { sockets: [DEFAULT] }, [[DEFAULT, 'unknown']]],
    ['a default path that refuses connections', { sockets: [DEFAULT], refusing: [DEFAULT] }, []],
    [
      'another path that refuses connections',
      {
        dockerHost: 'unix:///srv/docker.sock',
        sockets: ['/srv/docker.sock'],
        refusing: ['/srv/docker.sock'],
        responses: { '/srv/docker.sock': new Error('it refuses connections.') },
      },
      [['/srv/docker.sock', 'unknown']],
    ],
    [
      'a default path that refuses connections and leads to a product',
      { sockets: [DESKTOP], refusing: [DESKTOP], links: { [DEFAULT]: DESKTOP } },
      [[DESKTOP, 'vm']],
    ],
    [
      'an engine with two paths, once',
      {
        sockets: ['/run/docker.sock'],
        links: { [DEFAULT]: '/run/docker.sock' },
        responses: { [DEFAULT]: NATIVE },
      },
      [[DEFAULT, 'native']],
    ],
    [
      'a socket with a default path and another one, which refuses connections',
      {
        dockerHost: 'unix:///srv/docker.sock',
        sockets: ['/srv/docker.sock'],
        refusing: [DEFAULT, '/srv/docker.sock'],
        links: { [DEFAULT]: '/srv/docker.sock' },
        responses: { '/srv/docker.sock': new Error('it refuses connections.') },
      },
      [['/srv/docker.sock', 'unknown']],
    ],
    [
      'a default path that leads to a missing socket of a product',
      { links: { [DEFAULT]: '/home/me/.rd/docker.sock' } },
      [[DEFAULT, 'vm']],
    ],
    ['a setting without a socket', { dockerHost: 'unix:///srv/docker.sock' }, []],
    [
      'a product at the default path',
      { sockets: [DEFAULT], responses: { [DEFAULT]: { ...NATIVE, OperatingSystem: 'Docker Desktop' } } },
      [[DEFAULT, 'vm']],
    ],
    [
      'another kernel at the default path',
      { sockets: [DEFAULT], responses: { [DEFAULT]: { ...NATIVE, KernelVersion: '6.12.5-linuxkit' } } },
      [[DEFAULT, 'vm']],
    ],
    [
      'another host name at the default path',
      { sockets: [DEFAULT], responses: { [DEFAULT]: { ...NATIVE, Name: 'elsewhere' } } },
      [[DEFAULT, 'unknown']],
    ],
    [
      'no kernel at the default path',
      { sockets: [DEFAULT], responses: { [DEFAULT]: { ...NATIVE, KernelVersion: undefined } } },
      [[DEFAULT, 'unknown']],
    ],
    [
      'an engine on macOS',
      { platform: 'darwin', sockets: [DEFAULT], responses: { [DEFAULT]: NATIVE } },
      [[DEFAULT, 'vm']],
    ],
    ['ssh to another machine', { dockerHost: 'ssh://me@builder' }, [['ssh://me@builder', 'remote']]],
    [
      'ssh to an alias of another machine',
      { dockerHost: 'ssh://builder', files: { '/home/me/.ssh/config': SSH_CONFIG } },
      [['ssh://builder', 'remote']],
    ],
    [
      'ssh to an alias of this machine, such as one of Vagrant',
      { dockerHost: 'ssh://default', files: { '/home/me/.ssh/config': SSH_CONFIG } },
      [['ssh://default', 'unknown']],
    ],
    ['TCP to another machine', { dockerHost: 'tcp://192.0.2.7:2376' }, [['tcp://192.0.2.7:2376', 'remote']]],
    ...[
      'tcp://127.0.0.1:2375',
      'tcp://localhost:2375',
      'tcp://docker.localhost:2375',
      'tcp://127.1:2375',
      'tcp://0x7f.1:2375',
      'tcp://[::1]:2375',
      'tcp://[::ffff:127.0.0.1]:2375',
      'tcp://0.0.0.0:2375',
      'tcp://LAPTOP:2375',
      'tcp://192.0.2.1:2375',
      'tcp://engine.test:2375',
      'tcp://lan.test:2375',
      'tcp://:2375',
      'ssh://me@127.0.0.1:2222',
      'npipe:////./pipe/docker_engine',
    ].map((dockerHost): [string, Situation, [string, string][]] => [
      `this machine at ${dockerHost}`,
      {
        dockerHost,
        addresses: ['192.0.2.1'],
        files: { '/etc/hosts': '127.0.0.1 localhost\n127.0.1.1 Engine.test # engine\n192.0.2.1 lan.test' },
      },
      [[dockerHost, 'unknown']],
    ]),
    [
      'a host that is a virtual machine by its name',
      { dockerHost: 'ssh://lima-docker' },
      [['ssh://lima-docker', 'vm']],
    ],
    [
      'CONTAINER_HOST',
      { environment: { CONTAINER_HOST: 'tcp://127.0.0.1:8888' } },
      [['tcp://127.0.0.1:8888', 'unknown']],
    ],
    [
      'a docker context that is not the current one',
      {
        files: {
          ...dockerContext('/home/me/.docker', 'builder', 'ssh://builder'),
          ...dockerContext('/home/me/.docker', 'desktop-linux', `unix://${DESKTOP}`),
          '/home/me/.docker/config.json': '{}',
        },
      },
      [
        ['ssh://builder', 'remote'],
        [DESKTOP, 'vm'],
      ],
    ],
    [
      'a docker context named after a product',
      {
        files: dockerContext('/home/me/.docker', 'colima', 'unix:///srv/c.sock'),
        sockets: ['/srv/c.sock'],
        responses: { '/srv/c.sock': NATIVE },
      },
      [['/srv/c.sock', 'vm']],
    ],
    [
      'a docker context that cannot be read',
      { files: { '/home/me/.docker/contexts/meta/x/meta.json': '{' } },
      [['', 'unknown']],
    ],
    [
      'a podman connection to another machine',
      { files: connection('ssh://core@builder:22/run/podman/podman.sock') },
      [['ssh://core@builder:22/run/podman/podman.sock', 'remote']],
    ],
    [
      'a podman connection to loopback',
      { files: connection('ssh://core@127.0.0.1:41234/run/podman/podman.sock') },
      [['ssh://core@127.0.0.1:41234/run/podman/podman.sock', 'unknown']],
    ],
    [
      'a podman connection of a machine',
      { files: connection('ssh://core@127.0.0.1:41234/run/podman/podman.sock', true) },
      [['ssh://core@127.0.0.1:41234/run/podman/podman.sock', 'vm']],
    ],
    [
      'a podman connection of an earlier version',
      {
        files: {
          '/home/me/.config/containers/containers.conf':
            '[engine.service_destinations.dev]\n  uri = "ssh://builder/run/podman.sock"\n',
        },
      },
      [['ssh://builder/run/podman.sock', 'remote']],
    ],
    [
      'a podman machine that is stopped',
      { files: { '/home/me/.config/containers/podman/machine/qemu/default.json': '{}' } },
      [['/home/me/.config/containers/podman/machine/qemu/default.json', 'vm']],
    ],
  ])('places %s', async (_what, situation, expected) => {
    const { survey } = surveyOf(situation);
    await look(survey);
    expect(placements(survey).sort()).toEqual(expected.sort());
  });

  it.each([
    DESKTOP,
    '/home/me/.docker/run/docker.sock',
    '/home/me/.orbstack/run/sconrpc.sock',
    '/home/me/.rd/docker.sock',
    '/home/me/.local/share/rancher-desktop/lima/0/ha.sock',
    '/home/me/.colima/work/docker.sock',
    '/home/me/.config/colima/default/docker.sock',
    '/home/me/.lima/k8s/ha.sock',
    '/home/me/.lima/docker/sock/docker.sock',
    '/home/me/.local/share/containers/podman/machine/qemu/podman.sock',
    '/tmp/podman/podman-machine-default-api.sock',
    '/run/user/1000/podman/gvproxy.sock',
    '/mnt/wsl/podman-sockets/podman-machine-default/podman-root.sock',
  ])('places the socket of a product at %s, which it does not ask', async (path) => {
    const { survey, asked } = surveyOf({ sockets: [path], responses: { [path]: NATIVE } });
    await look(survey);
    expect(placements(survey)).toEqual([[path, 'vm']]);
    expect(asked).toEqual([]);
    expect(survey.isComplete()).toBe(true);
  });

  it('keeps the proof of a native engine that stops responding, while its socket is the same file', async () => {
    const situation: Situation = { sockets: [DEFAULT], responses: { [DEFAULT]: NATIVE } };
    const { survey, asked } = surveyOf(situation);
    await look(survey);
    situation.responses = {};
    situation.refusing = [DEFAULT];
    await look(survey);
    expect(placements(survey)).toEqual([[DEFAULT, 'native']]);
    expect(asked).toEqual([DEFAULT]);
    situation.refusing = [];
    situation.links = { [DEFAULT]: '/run/new.sock' };
    situation.sockets = ['/run/new.sock'];
    await look(survey);
    expect(placements(survey)).toEqual([[DEFAULT, 'unknown']]);
    expect(asked).toEqual([DEFAULT, DEFAULT]);
  });

  it('counts a virtual machine until the end, whatever becomes of its socket', async () => {
    const situation: Situation = {
      sockets: [DEFAULT],
      responses: { [DEFAULT]: { ...NATIVE, OperatingSystem: 'Docker Desktop' } },
    };
    const { survey } = surveyOf(situation);
    await look(survey);
    situation.responses = { [DEFAULT]: NATIVE };
    await look(survey);
    situation.sockets = [];
    await look(survey);
    expect(placements(survey)).toEqual([[DEFAULT, 'vm']]);
  });

  it('counts the URL of a virtual machine until the end, whatever its context is called then', async () => {
    const url = 'tcp://192.0.2.7:2376';
    const situation: Situation = { files: connection(url, true) };
    const { survey } = surveyOf(situation);
    await look(survey);
    situation.files = connection(url);
    await look(survey);
    expect(placements(survey)).toEqual([[url, 'vm']]);
  });

  it('places an engine that comes later, and repeats the request until it responds', async () => {
    const situation: Situation = { sockets: [], responses: { [DEFAULT]: new Error('it is starting.') } };
    const { survey, asked } = surveyOf(situation);
    await look(survey);
    expect(survey.engines()).toEqual([]);
    situation.sockets = [DEFAULT];
    await look(survey);
    const unknown: SurveyedEngine = {
      source: 'default socket',
      address: DEFAULT,
      placement: 'unknown',
      reason: 'it is starting',
    };
    expect(survey.engines()).toEqual([unknown]);
    situation.responses = { [DEFAULT]: NATIVE };
    await look(survey);
    expect(survey.engines()).toEqual([{ ...unknown, placement: 'native', reason: null }]);
    expect(asked).toHaveLength(2);
  });

  it('is complete once each engine has responded, or after 5 s', async () => {
    const { survey, asked } = surveyOf({
      sockets: [DEFAULT, '/run/podman/podman.sock'],
      responses: { [DEFAULT]: NATIVE },
    });
    expect(survey.isComplete()).toBe(false);
    await look(survey);
    expect(survey.isComplete()).toBe(false);
    await look(survey);
    jest.advanceTimersByTime(3999);
    expect(survey.isComplete()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(survey.isComplete()).toBe(true);
    expect(asked.sort()).toEqual(['/run/podman/podman.sock', DEFAULT]);
  });

  it('looks at most twice a second', async () => {
    const situation: Situation = {};
    const { survey } = surveyOf(situation);
    await look(survey);
    situation.dockerHost = '';
    situation.environment = {};
    situation.sockets = [DESKTOP];
    await survey.look();
    expect(survey.engines()).toEqual([]);
    jest.advanceTimersByTime(500);
    await survey.look();
    expect(placements(survey)).toEqual([[DESKTOP, 'vm']]);
  });
});
