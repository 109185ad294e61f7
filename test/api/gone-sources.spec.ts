import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RuntimeRegistry } from '../../backend/src/drivers/runtime/runtime-registry.js';
import type { LinePageDto } from '../../backend/src/modules/log-search/line-page.dto.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import { KnownProblems } from '../../backend/src/modules/log-sources/index.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { createCluster } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';
import { removeCluster } from '../support/runtime/remove-cluster.js';

describe('sources of a deleted cluster', () => {
  let folder: string;
  let board: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-gone-'));
    const dashboard = await startApp({ dataDirectory: folder });
    for (const name of ['shop', 'other']) await createCluster(dashboard.client, name);
    await dashboard.stop();
    board = await startLogBoard({
      dataDirectory: folder,
      environment: { APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: '20' },
    });
    session = await signIn(board);
  });

  afterAll(async () => {
    await board.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function get<TBody>(path: string): Promise<TBody> {
    const headers = { ...session.bearer, accept: 'application/json' };
    return (await board.client.send('GET', path, { headers })).body as TBody;
  }

  const sourcesOf = async (cluster: string): Promise<LogSourceDto[]> =>
    (await get<LogSourceDto[]>('/api/sources')).filter((source) => source.cluster === cluster);
  const livePodsOf = async (cluster: string): Promise<LogSourceDto[]> =>
    (await sourcesOf(cluster)).filter(({ kind, state }) => kind === 'pod' && state === 'live');

  it('are reported as gone, and keep their lines', async () => {
    const runs = async (): Promise<boolean> =>
      (await livePodsOf('shop')).some(({ next_seq }) => next_seq > 1) &&
      (await livePodsOf('other')).length > 0;
    await waitFor(runs, 'pods of both clusters');
    const [pod] = (await livePodsOf('shop')).filter(({ next_seq }) => next_seq > 1);
    const socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);
    try {
      socket.send({ type: 'watch_sources' });
      await socket.next('sources', ({ whole }) => whole);
      const runtime = board.nest.get(RuntimeRegistry, { strict: false }).get('demo');
      await removeCluster(runtime, 'shop');
      const isReported = ({ whole, sources }: { whole: boolean; sources: LogSourceDto[] }): boolean =>
        !whole && sources.some(({ id, state }) => id === pod?.id && state === 'gone');
      await socket.next('sources', isReported);
    } finally {
      socket.close();
    }
    const states = (await sourcesOf('shop')).map(({ state }) => state);
    expect(states).toEqual(states.map(() => 'gone'));
    expect((await livePodsOf('other')).length).toBeGreaterThan(0);
    expect((await get<LinePageDto>(`/api/sources/${pod?.id}/lines`)).lines.length).toBeGreaterThan(0);
  });

  it('say why the Pod of a source does not work, as far as the dashboard of this process knows', async () => {
    const [pod] = await sourcesOf('other');
    const ask = (): Promise<unknown> => get(`/api/sources/${pod?.id}/cause`);
    expect(await ask()).toEqual({ known: false, cause: null });
    const known = board.nest.get(KnownProblems, { strict: false });
    known.shared = { list: () => [] };
    expect(await ask()).toEqual({ known: true, cause: null });
    const { runtime = '', namespace = null, name = '', kind = '' } = pod ?? {};
    const object = { kind: kind === 'pod' ? 'Pod' : 'Node', namespace, name };
    const cause = { ...object, since: '2026-11-29T09:00:00Z', message: 'It crashed.', next_step: 'Read.' };
    known.shared = {
      list: () => [{ ...cause, runtime, cluster: 'other', container: null, found_in: object }],
    };
    expect(await ask()).toEqual({ known: true, cause });
  });
});
