import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LinePageDto } from '../../../backend/src/modules/log-search/line-page.dto.js';
import type { ServerMessage } from '../../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../../backend/src/modules/log-sources/log-source.dto.js';
import { waitFor } from '../wait-for.js';
import type { ApiResponse, ErrorResponse } from './api-client.js';
import { createCluster } from './clusters.js';
import { EventSocket } from './event-socket.js';
import { signIn, type SignedIn } from './signed-in.js';
import { startApp, startLogBoard, type TestApp } from './start-app.js';

/** Fast enough that every source writes lines during the test. */
const SPEED = '20';

export const named = (name: string) => (one: LogSourceDto) => one.name === name;

/** A log board that follows the logs of one cluster, with a session. */
export class LogBoardBench {
  board!: TestApp;
  session!: SignedIn;
  private readonly sockets: EventSocket<ServerMessage>[] = [];

  private constructor(private readonly folder: string) {}

  static async open(cluster: string): Promise<LogBoardBench> {
    const bench = new LogBoardBench(await mkdtemp(join(tmpdir(), 'slipway-logs-')));
    const dashboard = await startApp({ dataDirectory: bench.folder });
    await createCluster(dashboard.client, cluster);
    await dashboard.stop();
    await bench.start();
    return bench;
  }

  async start(environment: Record<string, string> = {}): Promise<void> {
    this.board = await startLogBoard({
      dataDirectory: this.folder,
      environment: { APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: SPEED, ...environment },
    });
    this.session = await signIn(this.board);
  }

  async close(): Promise<void> {
    await this.board.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async send(method: string, path: string, body?: object): Promise<ApiResponse> {
    return await this.board.client.send(method, path, {
      headers: { ...this.session.bearer, accept: 'application/json' },
      ...(body ? { body } : {}),
    });
  }

  async get<TBody>(path: string): Promise<TBody> {
    const response = await this.send('GET', path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body as TBody;
  }

  async refusal(method: string, path: string, body?: object): Promise<[number, string]> {
    const response = await this.send(method, path, body);
    return [response.status, (response.body as ErrorResponse).code];
  }

  async sources(): Promise<LogSourceDto[]> {
    return await this.get('/api/sources');
  }

  /** The matching source, once it has stored lines. */
  async source(matches: (source: LogSourceDto) => boolean, lines = 1): Promise<LogSourceDto> {
    let found: LogSourceDto | undefined;
    const has = async (): Promise<boolean> =>
      (found = (await this.sources()).find(
        (one) => matches(one) && one.next_seq - one.first_seq >= lines,
      )) !== undefined;
    await waitFor(has, 'a source with lines');
    if (!found) throw new Error('no source matches');
    return found;
  }

  async live(id: number): Promise<void> {
    const isLive = async (): Promise<boolean> =>
      (await this.get<LogSourceDto>(`/api/sources/${id}`)).state === 'live';
    await waitFor(isLive, 'the live state');
  }

  async page(id: number, query = ''): Promise<LinePageDto> {
    return await this.get(`/api/sources/${id}/lines${query}`);
  }

  async connect(): Promise<EventSocket<ServerMessage>> {
    const path = `/ws?token=${this.session.token}`;
    const socket = await EventSocket.open<ServerMessage>(this.board.port, {}, path);
    this.sockets.push(socket);
    return socket;
  }

  closeSockets(): void {
    for (const socket of this.sockets.splice(0)) socket.close();
  }
}
