import { expect } from '@jest/globals';
import { HOPELESS } from '../charts/own-chart.js';
import type { ScriptedApiServer } from '../engine/scripted-api-server.js';
import { ADDONS } from '../server/market.js';
import { waitFor } from '../wait-for.js';
import { cut, done, post, queued, step, type Case, type Place, type Reaching } from './outcome-cases.js';

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
  (isInstalled: boolean, isUpgraded = false): NonNullable<Case['arrange']> =>
  async (place) => {
    const { helm: program } = place.server.machine;
    Object.assign(program, { hangsAt: undefined, failure: undefined });
    const states = program.statesOf('market', 'shop');
    // As after a job that was canceled while queued. Each job less saves a second of CPU.
    if (isInstalled && !isUpgraded && states.join() === 'deployed') return;
    if (states.length > 0) await done(place, await uninstall(place));
    if (isInstalled) await done(place, await install(place));
    if (isUpgraded) await done(place, await upgrade(place));
  };

function hanging(at: string, begin: Case['begin']): Reaching {
  return {
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
  command: 'install' | 'upgrade' | 'rollback' | 'uninstall',
  begin: Case['begin'],
): Reaching & Pick<Case, 'ends'> {
  return {
    ends: 'failed',
    phase: command,
    begin: (place) => {
      place.server.machine.helm.failure = { command, message: REFUSED, once: true };
      return begin(place);
    },
    reach: done,
    after: ({ server }) => (server.machine.helm.failure = undefined),
  };
}

/** Holds the check before or after the operation of helm. */
const checkingHistory = (begin: Case['begin'], command: string): Reaching[] => [
  {
    phase: 'repair',
    begin,
    meanwhile: ({ server }) => (server.machine.helm.holdsHistory = true),
    reach: step('repair'),
    after: ({ server }) => (server.machine.helm.holdsHistory = false),
  },
  {
    phase: 'confirm',
    begin,
    reach: async (place, id) => {
      await step(command)(place, id);
      place.server.machine.helm.holdsHistory = true;
      await step('confirm')(place, id);
    },
    after: ({ server }) => (server.machine.helm.holdsHistory = false),
  },
];

const apiServer = ({ server }: Place): ScriptedApiServer | undefined =>
  server.machine.kind.apiServers.get('docker/c');
/** The API server of the cluster is down when the job starts. */
const unreachable = (begin: Case['begin']): Omit<Case, 'kind' | 'phase'> => ({
  ...{ ends: 'failed', begin, reach: done },
  meanwhile: (place) => apiServer(place)?.goAway(),
  after: (place) => apiServer(place)?.comeBack(),
});

/** Each phase of an operation on a release. */
function operations(
  kind: Case['kind'],
  command: 'install' | 'upgrade' | 'rollback',
  begin: Case['begin'],
  arrange: NonNullable<Case['arrange']>,
): Case[] {
  return [
    ...queued({ kind, arrange, begin }),
    ...checkingHistory(begin, command).flatMap((reaching) => cut({ kind, arrange, ...reaching })),
    { kind, arrange, phase: 'repair', ...unreachable(begin) },
    ...cut({ kind, arrange, ...hanging(command, begin) }),
    { kind, arrange, ...refused(command, begin) },
    { kind, arrange, phase: 'all', ends: 'succeeded', begin, reach: done },
  ];
}

const NODE = 'resources/core/v1/nodes/c-worker';
const PATCH = `PATCH /api/v1/nodes/c-worker`;
const uncordoned = ({ server }: Place): Promise<unknown> =>
  server.client.send('POST', `/api/v1/clusters/c/${NODE}/uncordon`);
const drain = (more: object): Case['begin'] =>
  post(`${NODE}/drain`, { force: true, delete_emptydir_data: true, ...more });

/** Jobs inside one cluster. */
export const INSIDE: readonly Case[] = [
  ...operations('addon-install', 'install', install, fresh(false)),
  {
    ...{ kind: 'addon-install', arrange: fresh(false) },
    ...refused('install', helm('POST', '', { ...SHOP, version: '1.0.0', keep_on_failure: true })),
    phase: 'kept',
  },
  {
    ...{ kind: 'addon-install', phase: 'never ready', ends: 'cancelled', arrange: fresh(false) },
    begin: helm('POST', '', { ...SHOP, version: '1.0.0', values: HOPELESS }),
    reach: step('install'),
  },
  ...operations('addon-upgrade', 'upgrade', upgrade, fresh(true)),
  {
    ...{ kind: 'addon-upgrade', arrange: fresh(true) },
    ...refused('upgrade', helm('PUT', '/releases/shop', { version: '1.1.0', keep_on_failure: true })),
    phase: 'kept',
  },
  ...operations('addon-rollback', 'rollback', rollback, fresh(true, true)),
  ...queued({ kind: 'addon-uninstall', arrange: fresh(true), begin: uninstall }),
  ...cut({ kind: 'addon-uninstall', arrange: fresh(true), ...hanging('uninstall', uninstall) }),
  { kind: 'addon-uninstall', arrange: fresh(true), ...refused('uninstall', uninstall) },
  {
    ...{ kind: 'addon-uninstall', phase: 'all', ends: 'succeeded', arrange: fresh(true) },
    begin: uninstall,
    reach: done,
  },
  ...queued({ kind: 'drain', begin: drain({}) }),
  ...cut({
    ...{ kind: 'drain', phase: 'cordoning', begin: drain({}), arrange: uncordoned },
    meanwhile: (place) => apiServer(place)?.hold(PATCH),
    reach: (place) => waitFor(() => apiServer(place)?.isHolding(PATCH) === true, 'the change of the node'),
    after: (place) => apiServer(place)?.release(PATCH),
  }),
  { kind: 'drain', phase: 'cordoning', arrange: uncordoned, ...unreachable(drain({})) },
  { kind: 'drain', phase: 'evicting', ends: 'failed', begin: drain({ timeout_seconds: 5 }), reach: done },
  ...cut({ kind: 'drain', phase: 'evicting', begin: drain({}), reach: step('evicting') }),
];
