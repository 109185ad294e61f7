import type { LinePageDto } from '../../../backend/src/modules/log-search/line-page.dto.js';
import type { ServerMessage } from '../../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../../backend/src/modules/log-sources/log-source.dto.js';
import { EventSocket } from '../../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../../support/app/log-board-password.js';
import { ServerProcess } from '../../support/server/server-process.js';
import { waitFor } from '../../support/wait-for.js';

/** Long enough for a busy machine. */
export const TIMEOUT_MS = 60_000;

/** The log board without the dashboard. Its data folder outlives it. */
export class RealBoard {
  private server: ServerProcess | undefined;
  private headers = {};
  private token = '';

  constructor(private readonly folder: string) {}

  async start(): Promise<void> {
    this.server = await ServerProcess.start(
      { ...process.env, APP_RUNTIME: 'auto', APP_DATA_DIR: this.folder, APP_PASS: LOG_BOARD_PASSWORD },
      ['log-board'],
    );
    const body = { username: 'admin', password: LOG_BOARD_PASSWORD };
    const response = await this.running.board.send('POST', '/api/auth/login', { body });
    this.token = (response.body as { access_token: string }).access_token;
    this.headers = { authorization: `Bearer ${this.token}`, accept: 'application/json' };
  }

  async get<T>(path: string): Promise<T> {
    const { status, body, text } = await this.running.board.send('GET', path, { headers: this.headers });
    if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${text}`);
    return body as T;
  }

  async source(fits: (source: LogSourceDto) => boolean): Promise<LogSourceDto> {
    let found: LogSourceDto | undefined;
    let all: LogSourceDto[] = [];
    const exists = async (): Promise<boolean> => {
      all = await this.get<LogSourceDto[]>('/api/sources');
      found = all.find(fits);
      return found !== undefined;
    };
    await waitFor(
      exists,
      () =>
        `a source among ${all.map(({ key, name, state, next_seq }) => `${key} ${name} ${state} ${next_seq}`).join('\n')}`,
      TIMEOUT_MS,
    );
    if (!found) throw new Error('no such source');
    return found;
  }

  /** All stored lines of a source. */
  async texts(id: number): Promise<string[]> {
    const texts: string[] = [];
    for (let after = 0; ;) {
      const { lines } = await this.get<LinePageDto>(`/api/sources/${id}/lines?after=${after}&limit=5000`);
      texts.push(...lines.map(({ text }) => text));
      const last = lines.at(-1);
      if (!last) return texts;
      after = last.seq;
    }
  }

  async connect(): Promise<EventSocket<ServerMessage>> {
    return await EventSocket.open<ServerMessage>(this.running.board.port, {}, `/ws?token=${this.token}`);
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  async kill(): Promise<void> {
    await this.running.kill();
  }

  private get running(): ServerProcess {
    if (!this.server) throw new Error('the log board was not started');
    return this.server;
  }
}
