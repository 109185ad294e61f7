import { setImmediate as othersTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import type { SourceIdentity } from '../../backend/src/drivers/log-store/index.js';
import { SourceRegistry } from '../../backend/src/modules/log-sources/source-registry.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

type Told = Extract<ServerMessage, { type: 'sources' }>;

const COUNT = 3000;
/** As the guide of the socket has it. */
const MOST_TOLD = 250;
/** What a socket holds before nothing is added to it: no message is more than that. */
const MOST_BYTES = 192 * 1024;

/** A pod whose name is nearly as long as a cluster lets it be. */
function podOf(number: number): SourceIdentity {
  return {
    key: `pod/docker/shop/uid-${number}/server`,
    kind: 'pod',
    runtime: 'docker',
    cluster: 'shop',
    namespace: `team-of-the-shop-${number % 40}`,
    workload: `Deployment/recommendations-${number % 300}`,
    name: `${'recommendations-'.repeat(14)}${number}`,
    container: 'server',
    role: 'main',
    service: null,
    previous: null,
  };
}

describe('three thousand sources', () => {
  let board: TestApp;
  let session: SignedIn;
  let registry: SourceRegistry;
  let socket: EventSocket<ServerMessage>;
  let added: number[];

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    session = await signIn(board);
    registry = board.nest.get(SourceRegistry, { strict: false });
    await waitFor(async () => (await listed()).length === 0, 'the history');
    added = Array.from({ length: COUNT }, (_, number) => {
      const entry = registry.ensure(podOf(number));
      registry.setState(entry, 'live');
      return entry.id;
    });
    socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);
  });

  afterAll(async () => {
    socket.close();
    await board.stop();
  });

  async function listed(): Promise<LogSourceDto[]> {
    const headers = { ...session.bearer, accept: 'application/json' };
    const answer = await board.client.send('GET', '/api/sources', { headers });
    return answer.status === 200 ? (answer.body as LogSourceDto[]) : [];
  }

  /** Those of the first telling, up to the one without `more`. */
  function pieces(): Told[] {
    const all = socket.of('sources');
    return all.slice(0, all.findIndex(({ more }) => more !== true) + 1);
  }

  /** What a client knows that does as the guide says. */
  function known(): Map<number, LogSourceDto> {
    const sources = new Map<number, LogSourceDto>();
    for (const told of socket.of('sources')) {
      if (told.whole) sources.clear();
      for (const source of told.sources) sources.set(source.id, source);
      for (const id of told.gone) sources.delete(id);
    }
    return sources;
  }

  it('are told in pieces, each source once, and nothing is lost of what changes meanwhile', async () => {
    const [first, second] = [added.at(0) as number, added.at(1) as number];
    const [last, secondLast] = [added.at(-1) as number, added.at(-2) as number];
    socket.send({ type: 'watch_sources' });
    // Not a moment later than the first piece: the last is told some fifty milliseconds after it.
    while (socket.of('sources').length === 0) await othersTurn();
    expect(socket.of('sources').at(-1)?.more).toBe(true);
    // Of what was told, of what may not have been yet, and of what nobody knew when it was begun.
    const changed = [first, last];
    for (const id of changed) registry.setState(registry.get(id), 'failed', 'It changed meanwhile.');
    const removed = [second, secondLast];
    const drops = removed.map((id) => registry.drop(registry.get(id)));
    const fresh = registry.ensure(podOf(COUNT)).id;
    await Promise.all(drops);
    const expected = [...added.filter((id) => !removed.includes(id)), fresh];
    const isTold = (): boolean =>
      known().get(first)?.state === 'failed' && known().has(fresh) && !removed.some((id) => known().has(id));
    await waitFor(isTold, 'what changed');
    const told = pieces();
    expect(told.map(({ whole }) => whole)).toEqual([true, ...told.slice(1).map(() => false)]);
    const ids = told.flatMap(({ sources, gone }) => [...sources.map(({ id }) => id), ...gone]);
    expect(ids.toSorted((one, other) => one - other)).toEqual(added);
    for (const message of socket.of('sources')) {
      expect(message.sources.length + message.gone.length).toBeLessThanOrEqual(MOST_TOLD);
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(MOST_BYTES);
    }
    expect([...known().keys()].toSorted((one, other) => one - other)).toEqual(expected);
    for (const id of changed) expect(known().get(id)).toMatchObject({ state: 'failed' });
    // As whoever asks for all of them is told.
    expect([...known().values()].toSorted((one, other) => one.id - other.id)).toEqual(
      (await listed()).toSorted((one, other) => one.id - other.id),
    );
  });
});
