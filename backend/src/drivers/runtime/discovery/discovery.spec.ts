import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  dockerContext as context,
  fakeHost as machine,
  type Layout,
} from '../../../../../test/support/runtime/fake-host.js';
import { discoverDocker } from './docker-discovery.js';
import { describeEndpoint, type DiscoveryResult } from '../host/engine-candidate.js';
import { discoverPodman, podmanSocketFix } from './podman-discovery.js';

function found({ candidates }: DiscoveryResult): [source: string, address: string][] {
  return candidates.map(({ source, endpoint }) => [source, describeEndpoint(endpoint)]);
}

describe('Docker is found', () => {
  const layouts: [string, Layout, [string, string][]][] = [
    ['on a server', { sockets: ['/var/run/docker.sock'] }, [['default socket', '/var/run/docker.sock']]],
    [
      'rootless, where the session says',
      { sockets: ['/run/user/1001/docker.sock'], environment: { XDG_RUNTIME_DIR: '/run/user/1001' } },
      [['rootless Docker', '/run/user/1001/docker.sock']],
    ],
    [
      'rootless, without a session',
      { sockets: ['/run/user/1000/docker.sock'] },
      [['rootless Docker', '/run/user/1000/docker.sock']],
    ],
    [
      'in Docker Desktop for Linux, by its context and its place',
      {
        sockets: ['/home/me/.docker/desktop/docker.sock'],
        files: context('/home/me/.docker', 'desktop-linux', 'unix:///home/me/.docker/desktop/docker.sock'),
      },
      [['docker context "desktop-linux"', '/home/me/.docker/desktop/docker.sock']],
    ],
    [
      'in Docker Desktop for Mac',
      { platform: 'darwin', sockets: ['/Users/me/.docker/run/docker.sock'] },
      [['Docker Desktop', '/Users/me/.docker/run/docker.sock']],
    ],
    [
      'in OrbStack',
      { platform: 'darwin', sockets: ['/Users/me/.orbstack/run/docker.sock'] },
      [['OrbStack', '/Users/me/.orbstack/run/docker.sock']],
    ],
    [
      'in Rancher Desktop',
      { platform: 'darwin', sockets: ['/Users/me/.rd/docker.sock'] },
      [['Rancher Desktop', '/Users/me/.rd/docker.sock']],
    ],
    [
      'in Colima, by its context',
      {
        platform: 'darwin',
        files: context('/Users/me/.docker', 'colima', 'unix:///Users/me/.colima/default/docker.sock'),
      },
      [['docker context "colima"', '/Users/me/.colima/default/docker.sock']],
    ],
    [
      'in Colima, by its place',
      { platform: 'darwin', sockets: ['/Users/me/.colima/default/docker.sock'] },
      [['Colima', '/Users/me/.colima/default/docker.sock']],
    ],
    [
      'in Colima of XDG, or of its own variable',
      {
        sockets: ['/srv/colima/default/docker.sock', '/home/me/.config/colima/default/docker.sock'],
        environment: { COLIMA_HOME: '/srv/colima' },
      },
      [
        ['Colima', '/srv/colima/default/docker.sock'],
        ['Colima', '/home/me/.config/colima/default/docker.sock'],
      ],
    ],
    [
      'in WSL2 with Docker Desktop, at the default socket',
      {
        sockets: ['/var/run/docker.sock'],
        environment: { WSL_DISTRO_NAME: 'Ubuntu', WSL_INTEROP: '/run/WSL/8_interop' },
      },
      [['default socket', '/var/run/docker.sock']],
    ],
    [
      'by DOCKER_CONTEXT before the chosen one, in DOCKER_CONFIG',
      {
        environment: { DOCKER_CONTEXT: 'mine', DOCKER_CONFIG: '/etc/mine' },
        files: {
          ...context('/etc/mine', 'mine', 'unix:///srv/mine.sock'),
          '/etc/mine/config.json': '{"currentContext":"another"}',
        },
      },
      [['docker context "mine"', '/srv/mine.sock']],
    ],
    [
      'at the default socket when the chosen context has no address',
      { sockets: ['/var/run/docker.sock'], files: context('/home/me/.docker', 'mine', '') },
      [['default socket', '/var/run/docker.sock']],
    ],
    [
      'at the default socket when the default context is chosen',
      {
        sockets: ['/var/run/docker.sock'],
        files: { '/home/me/.docker/config.json': '{"currentContext":"default"}' },
      },
      [['default socket', '/var/run/docker.sock']],
    ],
    [
      'also beside a config file that is broken',
      { sockets: ['/var/run/docker.sock'], files: { '/home/me/.docker/config.json': '{"currentCon' } },
      [['default socket', '/var/run/docker.sock']],
    ],
    ['nowhere', {}, []],
  ];

  it.each(layouts)('%s', async (_, layout, expected) => {
    expect(found(await discoverDocker(machine(layout), ''))).toEqual(expected);
  });

  it.each(layouts)('%s: and its own program is led to the same place', async (_, layout) => {
    for (const { endpoint, environment } of (await discoverDocker(machine(layout), '')).candidates) {
      expect(environment).toEqual({ DOCKER_HOST: `unix://${describeEndpoint(endpoint)}` });
    }
  });
});

describe('DOCKER_HOST', () => {
  const everywhere = machine({
    sockets: ['/var/run/docker.sock'],
    files: {
      ...context('/home/me/.docker', 'colima', 'unix:///x.sock'),
      '/certs/ca.pem': '',
      '/certs/cert.pem': '',
      '/certs/key.pem': '',
    },
    environment: { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/certs' },
  });

  it('is the only place when it is given', async () => {
    expect(found(await discoverDocker(everywhere, 'unix:///run/my.sock'))).toEqual([
      ['DOCKER_HOST', '/run/my.sock'],
    ]);
  });

  it('may be an address, with the certificates that docker would use', async () => {
    const { candidates } = await discoverDocker(everywhere, 'tcp://127.0.0.1:2376');
    const tls = { certificateFolder: '/certs', files: ['ca.pem', 'cert.pem', 'key.pem'], verify: true };
    expect(candidates[0]).toMatchObject({
      endpoint: { type: 'tcp', host: '127.0.0.1', port: 2376, tls },
      environment: {
        DOCKER_HOST: 'tcp://127.0.0.1:2376',
        DOCKER_TLS_VERIFY: '1',
        DOCKER_CERT_PATH: '/certs',
      },
    });
    const plain = await discoverDocker(machine({}), 'tcp://localhost:2375');
    expect(plain.candidates[0]?.endpoint).toMatchObject({ host: 'localhost', tls: null });
  });

  // docker 28.2 connects to the same addresses, but to port 2375 also with TLS.
  it.each([
    ['tcp://127.0.0.1', '127.0.0.1:2375', '127.0.0.1:2376'],
    ['tcp://127.0.0.1:', '127.0.0.1:2375', '127.0.0.1:2376'],
    ['tcp://', 'localhost:2375', 'localhost:2376'],
    ['tcp://:2370', 'localhost:2370', 'localhost:2370'],
    ['tcp://127.0.0.1:2375/', '127.0.0.1:2375', '127.0.0.1:2375'],
    ['localhost', 'localhost:2375', 'localhost:2376'],
    ['[::1]:1', '[::1]:1', '[::1]:1'],
    ['unix://', '/var/run/docker.sock', '/var/run/docker.sock'],
    ['unix:///path with space/d.sock', '/path with space/d.sock', '/path with space/d.sock'],
  ])('%s has the default port and path of docker', async (address, plain, secure) => {
    expect(found(await discoverDocker(machine({}), address))).toEqual([['DOCKER_HOST', plain]]);
    const result = await discoverDocker(everywhere, address);
    expect(found(result)).toEqual([['DOCKER_HOST', secure]]);
    const led = result.candidates[0]?.environment['DOCKER_HOST'];
    if (!address.startsWith('unix:')) expect(led).toBe(`tcp://${secure}`);
  });

  it('names the certificate that is missing', async () => {
    const incomplete = machine({
      files: { '/certs/ca.pem': '', '/certs/key.pem': '' },
      environment: { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/certs' },
    });
    const { candidates, refused } = await discoverDocker(incomplete, 'tcp://127.0.0.1');
    expect(candidates).toEqual([]);
    expect(refused[0]?.reason).toContain('cert.pem does not exist in DOCKER_CERT_PATH (/certs)');
    expect(refused[0]?.fix).toMatch(/^Copy ca\.pem, cert\.pem, key\.pem/);
  });

  it.each([
    ['unix:/srv/a.sock', 'unix:///srv/a.sock'],
    ['/srv/a.sock', 'unix:///srv/a.sock'],
    ['unix://a.sock', 'unix:///a.sock'],
    ['unix:///var/run/docker.sock/', 'unix:///var/run/docker.sock'],
  ])(
    'is refused with other slashes than a socket has, with the address to write: %s',
    async (address, fix) => {
      const { refused } = await discoverDocker(everywhere, address);
      expect(refused[0]?.reason).toBe(
        `DOCKER_HOST points to ${address}, which is not the address of a socket.`,
      );
      expect(refused[0]?.fix).toBe(`Write it as ${fix}`);
    },
  );

  // As docker 28.2.
  it.each([
    [['ca.pem'], '1', undefined],
    [['ca.pem', 'cert.pem'], '1', 'key.pem'],
    [[], '', 'ca.pem'],
  ])('needs ca.pem for TLS, and cert.pem only with key.pem: %j', async (files, verify, missing) => {
    const certificates = Object.fromEntries(files.map((file) => [`/certs/${file}`, '']));
    const environment = { DOCKER_TLS_VERIFY: verify, DOCKER_TLS: '1', DOCKER_CERT_PATH: '/certs' };
    const { refused } = await discoverDocker(
      machine({ files: certificates, environment }),
      'tcp://127.0.0.1',
    );
    expect(refused[0]?.reason.split(' ')[0]).toBe(missing);
  });

  it('is read with empty variables as without them', async () => {
    const environment = { DOCKER_CONFIG: '', DOCKER_CERT_PATH: '', DOCKER_TLS_VERIFY: '1' };
    const { refused } = await discoverDocker(machine({ environment }), 'tcp://127.0.0.1');
    expect(refused[0]?.reason).toContain('ca.pem does not exist in DOCKER_CONFIG (/home/me/.docker)');
  });

  it.each([
    'ssh://me@far.example',
    'npipe:////./pipe/docker_engine',
    'fd://',
    'tcp://a:1/x',
    'http://a:1',
    'tcp://a:99999',
  ])('is refused with a reason where kind could not follow: %s', async (address) => {
    const { candidates, refused } = await discoverDocker(everywhere, address);
    expect(candidates).toEqual([]);
    expect(refused).toEqual([
      {
        source: 'DOCKER_HOST',
        reason: expect.stringContaining(`DOCKER_HOST points to ${address}, which Slipway cannot reach`),
        fix: expect.stringContaining('DOCKER_HOST'),
      },
    ]);
  });

  it('of a context is held to the same, and no other place is tried', async () => {
    const result = await discoverDocker(
      machine({
        sockets: ['/var/run/docker.sock'],
        files: context('/home/me/.docker', 'far', 'ssh://me@far.example'),
      }),
      '',
    );
    expect(found(result)).toEqual([]);
    expect(result.refused[0]?.source).toBe('docker context "far"');
  });

  it.each([
    [['ca.pem', 'cert.pem', 'key.pem'], false, 'DOCKER_TLS_VERIFY'],
    [['ca.pem'], false, 'DOCKER_TLS_VERIFY'],
    [[], true, 'DOCKER_TLS'],
  ])('of a context has the certificates %j of the context', async (files, skip, variable) => {
    const own = context('/home/me/.docker', 'far', 'tcp://127.0.0.1:2376', skip);
    const id = createHash('sha256').update('far').digest('hex');
    const certificateFolder = `/home/me/.docker/contexts/tls/${id}/docker`;
    const pem = Object.fromEntries(files.map((file) => [`${certificateFolder}/${file}`, '']));
    const { candidates } = await discoverDocker(
      machine({ sockets: ['/var/run/docker.sock'], files: { ...own, ...pem } }),
      '',
    );
    expect(candidates).toEqual([
      {
        endpoint: {
          type: 'tcp',
          host: '127.0.0.1',
          port: 2376,
          tls: { certificateFolder, files, verify: !skip },
        },
        source: 'docker context "far"',
        environment: {
          DOCKER_HOST: 'tcp://127.0.0.1:2376',
          [variable]: '1',
          DOCKER_CERT_PATH: certificateFolder,
        },
        fix: expect.stringContaining('docker context use default'),
      },
    ]);
  });

  it('reports a context that does not exist, with a fix', async () => {
    const { refused } = await discoverDocker(
      machine({ files: { '/home/me/.docker/config.json': '{"currentContext":"gone"}' } }),
      '',
    );
    expect(refused[0]).toMatchObject({
      reason: expect.stringContaining('"gone"'),
      fix: 'docker context use default',
    });
  });
});

describe('Podman is found', () => {
  const layouts: [string, Layout, [string, string][]][] = [
    [
      'at its user’s socket, before root’s',
      {
        sockets: ['/run/podman/podman.sock', '/run/user/1000/podman/podman.sock'],
        environment: { XDG_RUNTIME_DIR: '/run/user/1000' },
      },
      [
        ['rootless Podman', '/run/user/1000/podman/podman.sock'],
        ["root's Podman", '/run/podman/podman.sock'],
      ],
    ],
    [
      'as root',
      { userId: 0, home: '/root', sockets: ['/run/podman/podman.sock'] },
      [["root's Podman", '/run/podman/podman.sock']],
    ],
    [
      'in a machine on a Mac, at the place of today',
      { platform: 'darwin', sockets: ['/var/folders/x/T/podman/podman-machine-default-api.sock'] },
      [['podman machine', '/var/folders/x/T/podman/podman-machine-default-api.sock']],
    ],
    [
      'in a machine on a Mac, at the places of before',
      {
        platform: 'darwin',
        sockets: [
          '/Users/me/.local/share/containers/podman/machine/podman.sock',
          '/Users/me/.local/share/containers/podman/machine/qemu/podman.sock',
        ],
      },
      [
        ['podman machine', '/Users/me/.local/share/containers/podman/machine/podman.sock'],
        ['podman machine', '/Users/me/.local/share/containers/podman/machine/qemu/podman.sock'],
      ],
    ],
    [
      'in a machine from another WSL distribution',
      { sockets: ['/mnt/wsl/podman-sockets/podman-machine-default/podman-user.sock'] },
      [['podman machine (WSL)', '/mnt/wsl/podman-sockets/podman-machine-default/podman-user.sock']],
    ],
    ['nowhere', {}, []],
  ];

  it.each(layouts)('%s', async (_, layout, expected) => {
    expect(found(await discoverPodman(machine(layout), ''))).toEqual(expected);
  });

  it('only where APP_PODMAN_SOCKET says, when it says', async () => {
    const host = machine({ sockets: ['/run/user/1000/podman/podman.sock'] });
    expect(found(await discoverPodman(host, '/srv/podman.sock'))).toEqual([
      ['APP_PODMAN_SOCKET', '/srv/podman.sock'],
    ]);
  });

  it('and CONTAINER_HOST is set if its CLI does not use it by default', async () => {
    const rootless = machine({
      sockets: ['/run/podman/podman.sock', '/run/user/1000/podman/podman.sock'],
    });
    const { candidates } = await discoverPodman(rootless, '');
    expect(candidates.map(({ environment }) => environment)).toEqual([
      {},
      { CONTAINER_HOST: 'unix:///run/podman/podman.sock' },
    ]);
    const root = machine({ userId: 0, sockets: ['/run/podman/podman.sock'] });
    expect((await discoverPodman(root, '')).candidates[0]?.environment).toEqual({});
    const [named] = (await discoverPodman(root, '/run/podman/podman.sock')).candidates;
    expect(named?.environment).toEqual({});
  });

  it.each([
    [{ platform: 'linux', userId: 1000 }, 'systemctl --user enable --now podman.socket'],
    [{ platform: 'linux', userId: 0 }, 'systemctl enable --now podman.socket'],
    [{ platform: 'darwin', userId: 501 }, 'podman machine start'],
  ] as const)('after one command where its socket is missing: %j', (host, fix) => {
    expect(podmanSocketFix(host)).toBe(fix);
  });
});
