import type { IncomingMessage } from 'node:http';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import type { SocketOwners } from '../../core/security/index.js';
import type { SurveyedEngine } from '../../drivers/runtime/index.js';
import { MachineExemption } from '../auth/index.js';
import { LocalUserExemption } from './local-user-exemption.js';

const SERVER = 1000;
type Placement = SurveyedEngine['placement'];

interface Situation {
  environment?: Record<string, string>;
  address?: string;
  engines?: Placement[];
  /** Whether some engine has not been asked yet. */
  looking?: boolean;
  owner?: number | undefined;
}

interface Parts {
  exemption: LocalUserExemption;
  registry: FakeRegistry;
  lookUps: () => number;
}

function request(remoteAddress = '127.0.0.1'): IncomingMessage {
  return { headers: {}, socket: { remoteAddress } } as unknown as IncomingMessage;
}

function engine(placement: Placement): SurveyedEngine {
  const reason = placement === 'unknown' ? 'it is starting' : null;
  return { source: 'default socket', address: `/run/${placement}.sock`, placement, reason };
}

/** An exemption that applies unless the situation prevents it, with a counter of owner look-ups. */
function exemptionOf(situation: Situation): Parts {
  const { environment = {}, engines = ['native'], looking = false } = situation;
  let lookUps = 0;
  const owners = {
    lookUp: () => Promise.resolve((lookUps += 1)),
    uidOf: () => ('owner' in situation ? situation.owner : SERVER),
  } as unknown as SocketOwners;
  const registry = new FakeRegistry([]);
  registry.engines = engines.map(engine);
  registry.survey.isComplete = () => !looking;
  const machine = new MachineExemption(readConfiguration(environment), registry);
  return { exemption: new LocalUserExemption(machine, owners), registry, lookUps: () => lookUps };
}

/** The exempt user of a request, whether it has to wait, and the number of owner look-ups. */
async function userOf(
  situation: Situation = {},
): Promise<{ user: string | undefined; isLooking: boolean; lookUps: number }> {
  const { exemption, lookUps } = exemptionOf(situation);
  const sent = request(situation.address);
  await exemption.prepare(sent);
  return { user: exemption.userOf(sent), isLooking: exemption.isLooking(sent), lookUps: lookUps() };
}

describe('LocalUserExemption', () => {
  beforeEach(() => {
    jest.spyOn(process, 'geteuid').mockReturnValue(SERVER);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each<[string, Situation]>([
    ['with a native engine', {}],
    ['without an engine', { engines: [] }],
    ['with several native engines', { engines: ['native', 'native'] }],
    ['with an engine on another machine', { engines: ['native', 'remote'] }],
    ['on another loopback address', { environment: { APP_HOST: '127.0.0.2' }, address: '127.0.0.2' }],
    ['over IPv6', { environment: { APP_HOST: '::1' }, address: '::1' }],
    ['from an IPv4-mapped address', { address: '::ffff:127.0.0.1' }],
  ])("exempts the server's own user %s", async (_what, situation) => {
    expect(await userOf(situation)).toEqual({ user: userInfo().username, isLooking: false, lookUps: 1 });
  });

  it.each<[string, Situation]>([
    ['APP_AUTH=required', { environment: { APP_AUTH: 'required' } }],
    ['APP_ALLOWED_HOSTS', { environment: { APP_ALLOWED_HOSTS: 'slipway.test' } }],
    ['APP_TRUSTED_PROXIES', { environment: { APP_TRUSTED_PROXIES: '192.0.2.5' } }],
    ['APP_PUBLIC_URL', { environment: { APP_PUBLIC_URL: 'https://slipway.test' } }],
    ['APP_LOG_BOARD_PUBLIC_URL', { environment: { APP_LOG_BOARD_PUBLIC_URL: 'https://logs.test' } }],
    ['a server beyond loopback', { environment: { APP_HOST: '0.0.0.0' } }],
    ['a connection from elsewhere', { address: '192.0.2.7' }],
    ['an engine in a virtual machine', { engines: ['vm'] }],
    ['an engine in a virtual machine beside a native one', { engines: ['native', 'vm'] }],
    ['a virtual machine while another engine has not been asked', { engines: ['vm'], looking: true }],
    ['an engine whose placement is unknown', { engines: ['native', 'unknown'] }],
  ])('requires sign-in with %s, and looks up nothing', async (_what, situation) => {
    expect(await userOf(situation)).toEqual({ user: undefined, isLooking: false, lookUps: 0 });
  });

  it('lets its own user wait until each engine has been asked', async () => {
    const looking = { looking: true, engines: ['unknown'] satisfies Placement[] };
    expect(await userOf(looking)).toMatchObject({ user: undefined, isLooking: true });
    expect(await userOf({ ...looking, owner: 1001 })).toMatchObject({ user: undefined, isLooking: false });
  });

  it('requires sign-in once an engine in a virtual machine has joined', async () => {
    const { exemption, registry } = exemptionOf({});
    await exemption.prepare(request());
    expect(exemption.userOf(request())).toBeDefined();
    registry.engines.push(engine('vm'));
    expect(exemption.userOf(request())).toBeUndefined();
  });

  it.each<[string, Situation]>([
    ['another user', { owner: 1001 }],
    ['root, whose connection can be a relay', { owner: 0 }],
    ['the overflow uid of a user namespace', { owner: 65_534 }],
    ['an unknown owner', { owner: undefined }],
  ])('requires sign-in from %s', async (_what, situation) => {
    expect((await userOf(situation)).user).toBeUndefined();
  });

  it('exempts root where the server runs as root', async () => {
    jest.spyOn(process, 'geteuid').mockReturnValue(0);
    expect((await userOf({ owner: 0 })).user).toBe(userInfo().username);
    expect((await userOf({ owner: 1000 })).user).toBeUndefined();
  });

  it('requires sign-in from the unmapped user, even where the server is one', async () => {
    jest.spyOn(process, 'geteuid').mockReturnValue(65_534);
    expect((await userOf({ owner: 65_534 })).user).toBeUndefined();
  });

  it.each<[Situation, string]>([
    [
      {},
      'No password is needed: this request is from your own user, and each container engine (/run/native.sock) runs natively on this machine.',
    ],
    [
      { engines: [] },
      'No password is needed: this request is from your own user, and there is no container engine on this machine.',
    ],
    [
      { engines: ['native', 'vm'] },
      'A password is needed, because default socket (/run/vm.sock) runs containers in a virtual machine, from which they can connect to this page like your own programs.',
    ],
    [
      { engines: ['unknown'] },
      'A password is needed, because Slipway does not know where default socket (/run/unknown.sock) runs containers: it is starting.',
    ],
    [{ environment: { APP_AUTH: 'required' } }, 'A password is needed, because APP_AUTH is required.'],
    [
      { environment: { APP_PUBLIC_URL: 'https://slipway.test' } },
      'A password is needed, because APP_PUBLIC_URL is set.',
    ],
    [
      { owner: undefined },
      'A password is needed, because this system does not report which user opened the connection.',
    ],
    [
      { owner: 0 },
      'A password is needed, because the connection is of another user than the one who runs Slipway.',
    ],
  ])('explains itself with %j', (situation, sentence) => {
    expect(exemptionOf(situation).exemption.explain(request())).toBe(sentence);
  });
});
