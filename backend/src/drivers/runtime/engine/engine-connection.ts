import { readFileSync } from 'node:fs';
import { Agent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inspect } from 'node:util';
import type { DockerOptions } from 'dockerode';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { plainLine } from '../../../core/logging/index.js';
import { required, type Reader } from '../../../core/parsing/index.js';
import { CERTIFICATE_FILES, describeEndpoint, type EngineEndpoint } from '../host/engine-candidate.js';
import { untilAborted } from '../until-aborted.js';
import type { EngineClient, EngineRequest } from './engine-client.js';
import { asEngineError } from './engine-error.js';
import { readingClient } from './reading-client.js';

/**
 * An idle engine responds within milliseconds. A busy Podman takes seconds, because it locks its storage while it creates
 * a container. API requests must complete within 5 s.
 */
const READ_DEADLINE_MS = 4000;
/** How long calls fail immediately after a timeout, so that a hanging engine does not delay every request. */
const COOLDOWN_MS = 1500;

type Call<TResult> = (client: EngineClient, abortSignal: AbortSignal) => Promise<TResult>;

/** A connection to an engine's API, with a deadline for every call. */
export class EngineConnection {
  private unavailableUntil = 0;
  private lastReason = '';

  private constructor(
    readonly engine: string,
    private readonly client: EngineClient,
    /** A separate client, so that long streams do not use the sockets of calls. */
    private readonly streams: EngineClient,
    private readonly endpoint: EngineEndpoint,
  ) {}

  static async open(engine: string, endpoint: EngineEndpoint): Promise<EngineConnection> {
    // Imported on demand, since it is not needed on a machine without engines.
    const { default: DockerClient } = await import('dockerode');
    const client = (options: DockerOptions): EngineClient =>
      // Its responses are read, not trusted.
      // eslint-disable-next-line foreign/no-foreign-cast
      readingClient(new DockerClient(options) as unknown as EngineClient);
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
   * Makes a call with a deadline.
   * @throws DomainError `runtime_unavailable`, immediately for a while after a timeout or a connection error.
   */
  async read<TResult>(call: Call<TResult>, deadlineMs = READ_DEADLINE_MS): Promise<TResult> {
    if (performance.now() < this.unavailableUntil) throw this.unavailable(this.lastReason);
    return await this.make(call, deadlineMs);
  }

  request<TBody>(request: EngineRequest, reader: Reader<TBody>): Promise<TBody> {
    return this.read(async (client, abortSignal) =>
      required(reader, await dial(client, { ...request, abortSignal }), 'the response of the engine'),
    );
  }

  /**
   * Makes the cheapest call, also during the cooldown, which a response ends. Unlike `version`, it does not make Podman
   * start programs, which takes seconds while it is busy.
   * @throws DomainError `runtime_unavailable`
   */
  async ping(deadlineMs = READ_DEADLINE_MS): Promise<void> {
    await this.make((client, abortSignal) => client.ping({ abortSignal }), deadlineMs);
    this.unavailableUntil = 0;
  }

  private async make<TResult>(call: Call<TResult>, deadlineMs: number): Promise<TResult> {
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      // dockerode uses the signal too, but not while it waits for a socket that accepts and never responds.
      return await Promise.race([call(this.client, deadline), untilAborted(deadline)]);
    } catch (error) {
      if (deadline.aborted) {
        throw this.coolDown(
          `it accepted the connection but did not respond within ${deadlineMs / 1000} s`,
          error,
        );
      }
      if (isConnectionError(error)) throw this.coolDown(connectionReason(error), error);
      throw asEngineError(this.engine, this.address, error);
    }
  }

  /** @param kind `Socket` for a hijacked connection */
  requestStream<TStream extends Readable>(
    request: EngineRequest,
    kind: abstract new (...args: never[]) => TStream,
    signal: AbortSignal,
    deadlineMs?: number,
  ): Promise<TStream> {
    return this.stream(
      async (client, abortSignal) => {
        const response = await dial(client, { ...request, isStream: true, abortSignal });
        if (response instanceof kind) return response;
        throw new Error('the engine returned no stream');
      },
      signal,
      deadlineMs,
    );
  }

  /** Opens a stream. The deadline applies to the start of the response. */
  async stream<TStream>(
    call: Call<TStream>,
    signal: AbortSignal,
    deadlineMs = READ_DEADLINE_MS,
  ): Promise<TStream> {
    const start = new AbortController();
    const both = AbortSignal.any([signal, start.signal]);
    const timer = setTimeout(() => start.abort(), deadlineMs);
    try {
      return await Promise.race([call(this.streams, both), untilAborted(both)]);
    } catch (error) {
      signal.throwIfAborted();
      if (start.signal.aborted) {
        throw this.unavailable(`it did not respond within ${deadlineMs / 1000} s`, error);
      }
      if (isConnectionError(error)) throw this.coolDown(connectionReason(error), error);
      throw asEngineError(this.engine, this.address, error);
    } finally {
      clearTimeout(timer);
    }
  }

  private coolDown(reason: string, cause: unknown): DomainError {
    this.lastReason = reason;
    this.unavailableUntil = performance.now() + COOLDOWN_MS;
    return this.unavailable(reason, cause);
  }

  /** @param reason completes "docker at /var/run/docker.sock is not available: …". */
  unavailable(reason: string, cause?: unknown): DomainError {
    return new DomainError(
      'runtime_unavailable',
      `${this.engine} at ${this.address} is not available: ${reason}.`,
      { runtime: this.engine },
      { cause },
    );
  }
}

/** dockerode formats its options for a debug log, including the agent with its sockets: 0.1 s for a hundred sockets. */
class BriefAgent extends Agent {
  [inspect.custom](): string {
    return 'the agent';
  }
}

function clientOptions(endpoint: EngineEndpoint, agent: AgentOptions): DockerOptions & { agent?: Agent } {
  // Every field is set, since dockerode fills missing ones from DOCKER_HOST, which may be another engine.
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
  const { certificateFolder, files, verify } = tls;
  const [ca, cert, key] = CERTIFICATE_FILES.map((file) =>
    files.includes(file) ? readFileSync(join(certificateFolder, file), 'utf8') : undefined,
  );
  const insecure = verify
    ? {}
    : { agent: new HttpsAgent({ ...agent, ca, cert, key, rejectUnauthorized: false }) };
  return { socketPath: undefined, protocol: 'https', host, port, ca, cert, key, ...insecure };
}

function dial(client: EngineClient, options: Parameters<EngineClient['modem']['dial']>[0]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.modem.dial({ statusCodes: { 200: true, 201: true }, ...options }, (error, response) => {
      if (error) reject(error);
      else resolve(response);
    });
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
  'ENOTDIR',
  'ENETUNREACH',
  'EAI_AGAIN',
  'EPROTO',
]);
/** Of OpenSSL and of the HTTP parser. */
const PROTOCOL_CODES = /^(?:ERR_TLS|ERR_SSL|ERR_O|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HPE_)/;

function isConnectionError(error: unknown): boolean {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  return (
    statusCode === undefined &&
    typeof code === 'string' &&
    (CONNECTION_CODES.has(code) || PROTOCOL_CODES.test(code))
  );
}

function connectionReason(error: unknown): string {
  const { code = '', address } = error as { code?: string; address?: unknown };
  switch (code) {
    case 'ENOENT':
      return 'its socket does not exist; the engine is not running';
    case 'ENOTDIR':
      return 'a part of the path of its socket is not a folder';
    case 'ECONNREFUSED':
      // Only an address of a network comes with a port.
      return `${isNetworkAddress(address) ? 'its port' : 'its socket'} refuses connections; the engine is not running`;
    case 'EACCES':
    case 'EPERM':
      return 'your user has no permission to open its socket';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'it closed the connection; it may be restarting';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'its host cannot be reached';
    default:
      return PROTOCOL_CODES.test(code) || code === 'EPROTO'
        ? `the TLS connection failed (${plainLine(reasonOf(error))})`
        : reasonOf(error);
  }
}

function isNetworkAddress(address: unknown): boolean {
  return typeof address === 'string' && !address.startsWith('/');
}
