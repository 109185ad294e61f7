import type { IncomingMessage } from 'node:http';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readConfiguration } from '../../core/config/index.js';
import type { SocketOwners } from '../../core/security/index.js';
import type { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { LocalUserExemption } from './local-user-exemption.js';

const SERVER = 1000;

interface Situation {
  environment?: Record<string, string>;
  address?: string;
  /** Whether each engine that answers is native. */
  engines?: boolean[];
  owner?: number | undefined;
}

function request(remoteAddress = '127.0.0.1'): IncomingMessage {
  return { headers: {}, socket: { remoteAddress } } as unknown as IncomingMessage;
}

/** An exemption that applies unless the situation prevents it, with a counter of owner look-ups. */
function exemptionOf(situation: Situation): { exemption: LocalUserExemption; lookUps: () => number } {
  const { environment = {}, engines = [true] } = situation;
  let lookUps = 0;
  const owners = {
    lookUp: () => Promise.resolve((lookUps += 1)),
    uidOf: () => ('owner' in situation ? situation.owner : SERVER),
  } as unknown as SocketOwners;
  const runtimes = {
    available: () => engines.map((native) => ({ info: () => ({ capabilities: { native } }) })),
  } as unknown as RuntimeRegistry;
  const exemption = new LocalUserExemption(readConfiguration(environment), runtimes, owners);
  return { exemption, lookUps: () => lookUps };
}

/** The exempt user of a request, and the number of owner look-ups. */
async function userOf(situation: Situation = {}): Promise<{ user: string | undefined; lookUps: number }> {
  const { exemption, lookUps } = exemptionOf(situation);
  await exemption.prepare(request(situation.address));
  return { user: exemption.userOf(request(situation.address)), lookUps: lookUps() };
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
    ['with several native engines', { engines: [true, true] }],
    ['on another loopback address', { environment: { APP_HOST: '127.0.0.2' }, address: '127.0.0.2' }],
    ['over IPv6', { environment: { APP_HOST: '::1' }, address: '::1' }],
    ['from an IPv4-mapped address', { address: '::ffff:127.0.0.1' }],
  ])("exempts the server's own user %s", async (_what, situation) => {
    expect(await userOf(situation)).toEqual({ user: userInfo().username, lookUps: 1 });
  });

  it('exempts root, by name', async () => {
    expect((await userOf({ owner: 0 })).user).toBe('root');
  });

  it.each<[string, Situation]>([
    ['APP_AUTH=required', { environment: { APP_AUTH: 'required' } }],
    ['APP_ALLOWED_HOSTS', { environment: { APP_ALLOWED_HOSTS: 'slipway.test' } }],
    ['APP_TRUSTED_PROXIES', { environment: { APP_TRUSTED_PROXIES: '192.0.2.5' } }],
    ['APP_PUBLIC_URL', { environment: { APP_PUBLIC_URL: 'https://slipway.test' } }],
    ['APP_LOG_BOARD_PUBLIC_URL', { environment: { APP_LOG_BOARD_PUBLIC_URL: 'https://logs.test' } }],
    ['a server beyond loopback', { environment: { APP_HOST: '0.0.0.0' } }],
    ['a connection from elsewhere', { address: '192.0.2.7' }],
    ['an engine that is not native', { engines: [false] }],
    ['an engine that is not native beside one that is', { engines: [true, false] }],
  ])('requires sign-in with %s, and looks up nothing', async (_what, situation) => {
    expect(await userOf(situation)).toEqual({ user: undefined, lookUps: 0 });
  });

  it('requires sign-in once an engine that is not native has joined', async () => {
    const engines = [true];
    const { exemption } = exemptionOf({ engines });
    await exemption.prepare(request());
    expect(exemption.userOf(request())).toBeDefined();
    engines.push(false);
    expect(exemption.userOf(request())).toBeUndefined();
    engines.pop();
    expect(exemption.userOf(request())).toBeDefined();
  });

  it.each<[string, Situation]>([
    ['another user', { owner: 1001 }],
    ['the overflow uid of a user namespace', { owner: 65_534 }],
    ['an unknown owner', { owner: undefined }],
  ])('requires sign-in from %s', async (_what, situation) => {
    expect((await userOf(situation)).user).toBeUndefined();
  });

  it('requires sign-in from the unmapped user, even where the server is one', async () => {
    jest.spyOn(process, 'geteuid').mockReturnValue(65_534);
    expect((await userOf({ owner: 65_534 })).user).toBeUndefined();
  });
});
