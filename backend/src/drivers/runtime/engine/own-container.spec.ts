import { describe, expect, it } from '@jest/globals';
import { CLUSTER_LABEL, ROLE_LABEL } from '../runtime-driver.js';
import type { EngineClient } from './engine-client.js';
import type { EngineConnection } from './engine-connection.js';
import { OwnContainer, possibleContainers } from './own-container.js';

const ID = 'd58bc2ee8431e8a6debc4aa97839defbf10a2919af1a00148009336952b3705e';
const OTHER = '0'.repeat(64);

function mountOf(root: string, point: string): string {
  return `93 75 254:0 ${root} ${point} rw,relatime - ext4 /dev/vda rw\n`;
}

function possible(files: Record<string, string>, configured = ''): Promise<string[]> {
  const readText = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
  return possibleContainers({ platform: 'linux', readText }, configured);
}

describe('possibleContainers', () => {
  it.each([
    ['Docker', `/var/lib/docker/containers/${ID}/hostname`],
    ['rootful Podman', `/run/containers/storage/overlay-containers/${ID}/userdata/hostname`],
    ['rootless Podman', `/containers/overlay-containers/${ID}/userdata/hostname`],
  ])('reads the id from the files that %s mounts', async (_engine, root) => {
    const mounts = mountOf('/', '/') + mountOf(root, '/etc/hostname');
    expect(await possible({ '/proc/self/mountinfo': mounts, '/etc/hostname': 'shop\n' })).toEqual([ID]);
  });

  it('uses a host name that looks like an id, and ignores mounts of other containers', async () => {
    const mounts = mountOf('/', `/var/lib/docker/containers/${OTHER}/mounts/shm`);
    const files = { '/proc/self/mountinfo': mounts, '/etc/hostname': `${ID.slice(0, 12)}\n` };
    expect(await possible(files)).toEqual([ID.slice(0, 12)]);
    expect(await possible({ ...files, '/etc/hostname': 'laptop\n' })).toEqual([]);
  });

  it('is only APP_CONTAINER if it is set', async () => {
    expect(await possible({ '/etc/hostname': `${ID.slice(0, 12)}\n` }, 'slipway')).toEqual(['slipway']);
  });
});

interface Engine {
  mode?: string;
  networks?: string[];
  roles?: string[];
  /** The error of a connect. */
  failure?: Error;
  /** Whether another call connects the container at the same time. */
  concurrent?: boolean;
}

/** An engine with the container `ID` and the nodes of the cluster `shop` in the network `kind`. */
function engine({ mode = 'bridge', networks = ['bridge'], roles = ['control-plane'], ...rest }: Engine): {
  connection: EngineConnection;
  joined: string[];
} {
  const attached = [...networks];
  const joined: string[] = [];
  const client = {
    getContainer: (id: string) => ({
      inspect: () =>
        id === ID
          ? Promise.resolve({
              Id: ID,
              HostConfig: {
                NetworkMode: mode,
                PortBindings: { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '8080' }] },
              },
              NetworkSettings: {
                Networks: Object.fromEntries(
                  attached.map((name) => [
                    name,
                    { Gateway: name === 'internal' ? '' : `gateway of ${name}` },
                  ]),
                ),
              },
            })
          : Promise.reject(Object.assign(new Error('no such container'), { statusCode: 404 })),
    }),
    getNetwork: (name: string) => ({
      connect: ({ Container }: { Container: string }) => {
        joined.push(`${Container} ${name}`);
        if (!rest.failure || rest.concurrent) attached.push(name);
        return rest.failure ? Promise.reject(rest.failure) : Promise.resolve();
      },
    }),
    listContainers: () =>
      Promise.resolve(
        roles.map((role) => ({
          Id: OTHER,
          Names: [`/shop-${role}`],
          Labels: { [CLUSTER_LABEL]: 'shop', [ROLE_LABEL]: role },
          NetworkSettings: { Networks: { kind: {} } },
        })),
      ),
  } as unknown as EngineClient;
  const connection = {
    engine: 'docker',
    read: (call: Parameters<EngineConnection['read']>[0]) => call(client, new AbortController().signal),
  } as unknown as EngineConnection;
  return { connection, joined };
}

async function reach(made: ReturnType<typeof engine>): Promise<string | undefined> {
  return await (await OwnContainer.find(made.connection, [OTHER, ID]))?.reach('shop');
}

describe('OwnContainer', () => {
  it('has the published ports of the container that the engine knows', async () => {
    const found = await OwnContainer.find(engine({}).connection, [OTHER, ID]);
    expect(found?.ports).toEqual([
      { hostAddress: '127.0.0.1', hostPort: 8080, containerPort: 8080, protocol: 'TCP' },
    ]);
  });

  it('does not exist for an engine without the container, or in the network of the host', async () => {
    expect(await OwnContainer.find(engine({}).connection, [OTHER])).toBeUndefined();
    expect(await OwnContainer.find(engine({ mode: 'host' }).connection, [ID])).toBeUndefined();
  });

  it('joins the network of the control plane once', async () => {
    const made = engine({});
    expect([await reach(made), await reach(made)]).toEqual(['shop-control-plane', 'shop-control-plane']);
    expect(made.joined).toEqual([`${ID} kind`]);
  });

  it('joins the networks of all nodes at the start', async () => {
    const made = engine({ roles: ['control-plane', 'worker'] });
    await (await OwnContainer.find(made.connection, [ID]))?.joinNodes();
    expect(made.joined).toEqual([`${ID} kind`]);
  });

  it('has the gateways that the engine reports, also of networks that it joins', async () => {
    const found = await OwnContainer.find(engine({ networks: ['bridge', 'internal'] }).connection, [ID]);
    expect(found?.gateways).toEqual(['gateway of bridge']);
    await found?.joinNodes();
    expect(found?.gateways).toEqual(['gateway of bridge', 'gateway of kind']);
  });

  it('uses the load balancer of several control planes', async () => {
    const made = engine({ networks: ['kind'], roles: ['control-plane', 'external-load-balancer'] });
    expect(await reach(made)).toBe('shop-external-load-balancer');
    expect(made.joined).toEqual([]);
  });

  it('ignores an error if a concurrent call has joined', async () => {
    const failure = new Error('endpoint with name slipway already exists in network kind');
    expect(await reach(engine({ failure, concurrent: true }))).toBe('shop-control-plane');
    await expect(reach(engine({ failure: new Error('no space left') }))).rejects.toMatchObject({
      code: 'cluster_unreachable',
      message: 'docker could not connect the container of Slipway to the network kind: no space left.',
    });
  });

  it('rejects with cluster_unreachable if the cluster has no control plane', async () => {
    await expect(reach(engine({ roles: [] }))).rejects.toMatchObject({ code: 'cluster_unreachable' });
  });
});
