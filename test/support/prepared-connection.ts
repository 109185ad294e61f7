import { once } from 'node:events';
import { Readable } from 'node:stream';
import type {
  ApiResponse,
  ApiConnection,
  ApiRequest,
  ApiStream,
} from '../../backend/src/drivers/kubernetes/index.js';

export const NOTHING: ApiResponse = { status: 404, text: '404 page not found\n' };

/** Returns responses by method and path, and records the requests. */
export class PreparedConnection implements ApiConnection {
  readonly requests: ApiRequest[] = [];
  lines: string[] = [];
  /** Watches continue until their signal aborts. */
  endless = false;
  /** The chunks of logs, by their paths. */
  readonly logs: Record<string, Buffer[]> = {};
  /** Number of open watches. */
  watching = 0;

  constructor(private readonly responses: Record<string, unknown>) {}

  send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    const response = this.responses[`${request.method ?? 'GET'} ${request.path}`];
    if (response === undefined) return Promise.resolve(NOTHING);
    if (response instanceof Error) return Promise.reject(response);
    const { status = 200, warnings, ...body } = response as { status?: number; warnings?: string[] };
    return Promise.resolve({ status, text: JSON.stringify(body), ...(warnings ? { warnings } : {}) });
  }

  async stream({ onLine, signal }: ApiStream): Promise<ApiResponse> {
    for (const line of this.lines) onLine(line);
    if (this.endless) {
      this.watching += 1;
      await once(signal, 'abort');
      this.watching -= 1;
    }
    return { status: 200, text: '' };
  }

  open(path: string): Promise<Readable | ApiResponse> {
    this.requests.push({ path });
    const chunks = this.logs[path];
    return Promise.resolve(chunks ? Readable.from(chunks, { objectMode: false }) : NOTHING);
  }

  exec(path: string): Promise<ApiResponse> {
    this.requests.push({ path });
    return Promise.resolve(NOTHING);
  }

  get paths(): string[] {
    return this.requests.map(({ path }) => path);
  }
}
