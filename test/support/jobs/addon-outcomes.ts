import { expect } from '@jest/globals';
import { HOPELESS } from '../charts/own-chart.js';
import { ADDONS } from '../server/market.js';
import { waitFor } from '../wait-for.js';
import { done, post, step, type Case, type Reaching } from './outcome-cases.js';

const SHOP = { repository: 'uploaded', chart: 'shop', namespace: 'market' };

const helm =
  (method: string, path: string, body?: object): Case['begin'] =>
  async ({ server }) => {
    const response = await server.client.send(method, `${ADDONS}${path}`, body ? { body } : {});
    expect([response.status, response.text]).toEqual([202, expect.any(String)]);
    return (response.body as { job_id: number }).job_id;
  };

const install = helm('POST', '', { ...SHOP, version: '1.0.0' });
const upgrade = helm('PUT', '/releases/shop', { version: '1.1.0', values: 'replicas: 2\n' });
const rollback = helm('POST', '/releases/shop/rollback', { revision: 1 });
const uninstall = helm('DELETE', '/releases/shop');
const REFUSED = 'admission webhook "till.example" denied the request';

/** Leaves a release in its first revision, or none. */
const fresh =
  (isInstalled: boolean, isUpgraded = false): Case['arrange'] =>
  async (place) => {
    const { helm: program } = place.server.machine;
    Object.assign(program, { hangsAt: undefined, failure: undefined });
    if (program.statesOf('market', 'shop').length > 0) await done(place, await uninstall(place));
    if (isInstalled) await done(place, await install(place));
    if (isUpgraded) await done(place, await upgrade(place));
  };

function hanging(at: string, begin: Case['begin']): Reaching & Pick<Case, 'ends'> {
  return {
    ends: 'cancelled',
    phase: at,
    begin: (place) => {
      place.server.machine.helm.hangsAt = at;
      return begin(place);
    },
    reach: async (place, id) => {
      const { operations } = place.server.machine.helm;
      await step(at)(place, id);
      await waitFor(() => operations.at(-1)?.call.args[0] === at, at);
      const { helm: program } = place.server.machine;
      await waitFor(
        () => /pending|uninstalling/.test(program.statesOf('market', 'shop').at(-1) ?? ''),
        'helm',
      );
    },
    after: ({ server }) => (server.machine.helm.hangsAt = undefined),
  };
}

function refused(
  command: 'install' | 'upgrade' | 'rollback',
  begin: Case['begin'],
): Reaching & Pick<Case, 'ends'> {
  return {
    ends: 'failed',
    phase: command,
    begin: (place) => {
      place.server.machine.helm.failure = { command, says: REFUSED };
      return begin(place);
    },
    reach: done,
    after: ({ server }) => (server.machine.helm.failure = undefined),
  };
}

const drain = (more: object): Case['begin'] =>
  post('resources/core/v1/nodes/c-worker/drain', { force: true, delete_emptydir_data: true, ...more });

/** Jobs inside one cluster. */
export const INSIDE: readonly Case[] = [
  { kind: 'addon-install', arrange: fresh(false), ...hanging('install', install) },
  { kind: 'addon-install', arrange: fresh(false), ...refused('install', install) },
  {
    ...{ kind: 'addon-install', arrange: fresh(false) },
    ...refused('install', helm('POST', '', { ...SHOP, version: '1.0.0', keep_on_failure: true })),
    phase: 'kept',
  },
  {
    kind: 'addon-install',
    phase: 'all',
    ends: 'succeeded',
    arrange: fresh(false),
    begin: install,
    reach: done,
  },
  {
    ...{ kind: 'addon-install', phase: 'never ready', ends: 'cancelled', arrange: fresh(false) },
    begin: helm('POST', '', { ...SHOP, version: '1.0.0', values: HOPELESS }),
    reach: step('install'),
  },
  { kind: 'addon-upgrade', arrange: fresh(true), ...hanging('upgrade', upgrade) },
  { kind: 'addon-upgrade', arrange: fresh(true), ...refused('upgrade', upgrade) },
  {
    ...{ kind: 'addon-upgrade', arrange: fresh(true) },
    ...refused('upgrade', helm('PUT', '/releases/shop', { version: '1.1.0', keep_on_failure: true })),
    phase: 'kept',
  },
  { kind: 'addon-rollback', arrange: fresh(true, true), ...hanging('rollback', rollback) },
  { kind: 'addon-uninstall', arrange: fresh(true), ...hanging('uninstall', uninstall) },
  {
    kind: 'addon-uninstall',
    phase: 'all',
    ends: 'succeeded',
    arrange: fresh(true),
    begin: uninstall,
    reach: done,
  },
  { kind: 'drain', phase: 'evicting', ends: 'failed', begin: drain({ timeout_seconds: 5 }), reach: done },
  { kind: 'drain', phase: 'evicting', ends: 'cancelled', begin: drain({}), reach: step('evicting') },
];
