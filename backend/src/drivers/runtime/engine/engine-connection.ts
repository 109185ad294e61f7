import { readFileSync } from 'node:fs';
import { Agent, type AgentOptions } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { DockerOptions } from 'dockerode';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { describeEndpoint, type EngineEndpoint } from '../discovery/engine-candidate.js';
import type { EngineClient } from './engine-client.js';

/**
 * An idle engine answers reads within milliseconds. A busy Podman takes seconds, because its own program
 * holds the store's lock while it makes a container; and nothing may hold a request longer than five.
 */
const READ_DEADLINE_MS = 4000;
/** How long a silent engine is left alone, so that one hung socket does not hold every request in turn. */
const REST_MS = 1500;

type Call<TResult> = (client: EngineClient, abortSignal: AbortSignal) => Promise<TResult>;

/** A connection to one engine's API, with a deadline on every call and a memory of its last silence. */
export class EngineConnection {
  private silentUntil = 0;
  private silence = '';

  private constructor(
    readonly engine: string,
    private readonly client: EngineClient,
    /** Streams last as long as somebody follows them: they must not take the places of the calls. */
    private readonly streams: EngineClient,
    private readonly endpoint: EngineEndpoint,
  ) {}

  static async open(engine: string, endpoint: EngineEndpoint): Promise<EngineConnection> {
    // Loaded on demand: on a machine without engines its cost at the start buys nothing.
    const { default: DockerClient } = await import('dockerode');
    const client = (options: DockerOptions): EngineClient =>
      new DockerClient(options) as unknown as EngineClient;
    return new EngineConnection(
      engine,
      client(clientOptions(endpoint, { keepAlive: true, maxSockets: 64 })),
      client(clientOptions(endpoint, {})),
      endpoint,
    );
  }

  get address(): string {
    return describeEndpoint(this.endpoint);
  }

  /**
   * Makes a call that must answer soon.
   * @throws DomainError `runtime_unavailable`, at once while the engine is known to be silent.
   */
  async read<TResult>(call: Call<TResult>, deadlineMs = READ_DEADLINE_MS): Promise<TResult> {
    if (performance.now() < this.silentUntil) throw this.unavailable(this.silence);
    return await this.make(call, deadlineMs);
  }

  /**
   * Makes the call that costs an engine least, also while it is known to be silent: an answer ends that.
   * Podman starts programs to tell its version, which takes seconds while it is at work.
   * @throws DomainError `runtime_unavailable`
   */
  async ping(deadlineMs = READ_DEADLINE_MS): Promise<void> {
    await this.make((client, abortSignal) => client.ping({ abortSignal }), deadlineMs);
    this.silentUntil = 0;
  }

  private async make<TResult>(call: Call<TResult>, deadlineMs: number): Promise<TResult> {
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      // The client takes the signal, but a socket that accepts and stays mute can outlast it.
      return await Promise.race([call(this.client, deadline), rejectOn(deadline)]);
    } catch (error) {
      if (deadline.aborted) {
        throw this.fallSilent(
          `it accepted the connection but did not answer within ${deadlineMs / 1000} s`,
          error,
        );
      }
      if (isConnectionError(error)) throw this.fallSilent(connectionReason(error), error);
      throw error;
    }
  }

  /** Opens a stream: the answer's beginning has a deadline, its length has none. */
  async stream<TStream>(
    call: Call<TStream>,
    signal: AbortSignal,
    deadlineMs = READ_DEADLINE_MS,
  ): Promise<TStream> {
    const beginning = new AbortController();
    const both = AbortSignal.any([signal, beginning.signal]);
    const timer = setTimeout(() => beginning.abort(), deadlineMs);
    try {
      return await Promise.race([call(this.streams, both), rejectOn(both)]);
    } catch (error) {
      signal.throwIfAborted();
      if (beginning.signal.aborted) {
        throw this.unavailable(`it did not begin to answer within ${deadlineMs / 1000} s`, error);
      }
      if (isConnectionError(error)) throw this.fallSilent(connectionReason(error), error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private fallSilent(reason: string, cause: unknown): DomainError {
    this.silence = reason;
    this.silentUntil = performance.now() + REST_MS;
    return this.unavailable(reason, cause);
  }

  /** What a call ends with whose engine cannot be used. @param reason completes "cannot be used: …". */
  unavailable(reason: string, cause?: unknown): DomainError {
    return new DomainError(
      'runtime_unavailable',
      `${this.engine} at ${this.address} cannot be used: ${reason}.`,
      { runtime: this.engine },
      { cause },
    );
  }
}

/**
 * The client writes out what it sends, for a log that nobody reads: the agent with each of its sockets and all that
 * they hold, a tenth of a second for a hundred.
 */
class BriefAgent extends Agent {
  [inspect.custom](): string {
    return 'the agent';
  }
}

function clientOptions(endpoint: EngineEndpoint, agent: AgentOptions): DockerOptions & { agent?: Agent } {
  // Every field is said: the client fills what is left out from DOCKER_HOST, which may be another engine's.
  const nothing = { host: undefined, port: undefined, ca: undefined, cert: undefined, key: undefined };
  if (endpoint.type === 'socket') {
    return {
      ...nothing,
      protocol: 'http',
      socketPath: endpoint.path,
      agent: new BriefAgent(agent),
    };
  }
  const { host, port, tls } = endpoint;
  if (!tls) return { ...nothing, socketPath: undefined, protocol: 'http', host, port };
  const certificate = (name: string): Buffer => readFileSync(join(tls.certificateFolder, name));
  return {
    socketPath: undefined,
    protocol: 'https',
    host,
    port,
    ca: certificate('ca.pem').toString(),
    cert: certificate('cert.pem').toString(),
    key: certificate('key.pem').toString(),
  };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

const CONNECTION_CODES = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'EACCES',
  'EPERM',
  'ECONNRESET',
  'EPIPE',
  'ENOTSOCK',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ECONNABORTED',
]);

function isConnectionError(error: unknown): boolean {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  return statusCode === undefined && typeof code === 'string' && CONNECTION_CODES.has(code);
}

function connectionReason(error: unknown): string {
  switch ((error as { code?: string }).code) {
    case 'ENOENT':
      return 'its socket is gone; the engine is not running';
    case 'ECONNREFUSED':
      return 'nobody listens on its socket; the engine is not running';
    case 'EACCES':
    case 'EPERM':
      return 'your user may not open its socket';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'it closed the connection; it may be restarting';
    default:
      return reasonOf(error);
  }
}
