import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { readTranscript, type EngineName, type Exchange } from '../../transcripts/transcript.js';
import { isChange, operationOf, type Change, type Operation } from './engine-operations.js';
import { EngineResponses, long, short, unfrozen, vanished } from './engine-responses.js';
import { EngineWorld, type WorldEvent } from './engine-world.js';
import { HeldRequests } from './held-requests.js';
import { ScriptedImages } from './scripted-images.js';
import { ScriptedLogs } from './scripted-logs.js';

/** The request body to connect a container to a network, or to disconnect it. */
interface NetworkChange {
  Container: string;
  EndpointConfig?: { IPAMConfig: { IPv4Address: string } };
}

/** The behavior of pulls, by default without delays. */
interface PullScript {
  /** References that no registry has; those of other images are found. */
  missing: Set<string>;
  /** Between two messages of the engine. */
  messageMs: number;
}

/**
 * Replays the recorded API of an engine on a Unix socket. A request without a transcript gets status 501 and is
 * recorded in `unexpected`.
 */
export class ScriptedEngine extends HeldRequests {
  readonly unexpected: string[] = [];
  /** Every request so far, `GET /version`. */
  readonly requests: string[] = [];
  readonly world: EngineWorld;
  readonly images: ScriptedImages;
  readonly logs: ScriptedLogs;
  /** Nodes whose ports another program takes when they start. */
  readonly takenPorts = new Set<string>();
  /** Names of containers, images and volumes that it fails to remove, as when their disk is busy. */
  readonly undeletable = new Set<string>();
  /** Archives of folders, by their paths: the same for every node. */
  readonly folders = new Map<string, Buffer>();
  /** Names of containers that it fails to put on a network. */
  readonly offNetwork = new Set<string>();
  /** The operating system that it reports, such as `Docker Desktop`. */
  system = 'Linux';
  cgroupVersion = '2';
  /** How many of the next pauses fail, each because the container makes processes meanwhile. */
  busyFreezes = 0;
  /** How many of the next lists fail, each because a container is removed meanwhile, as in Podman. */
  vanishing = 0;
  /** How many of the next inspections fail in the same way. */
  vanishingInspections = 0;
  readonly pull: PullScript = { missing: new Set(), messageMs: 0 };
  private readonly replies: EngineResponses;
  private server: Server | undefined;
  private hanging = false;

  private constructor(
    readonly engine: EngineName,
    readonly socket: string,
  ) {
    super();
    this.world = new EngineWorld(engine === 'podman');
    this.images = new ScriptedImages(this.world);
    this.logs = new ScriptedLogs(engine, this.world);
    this.replies = new EngineResponses(readTranscript(engine), this.world);
  }

  static async start(engine: EngineName, socket: string): Promise<ScriptedEngine> {
    const scripted = new ScriptedEngine(engine, socket);
    await scripted.comeBack();
    return scripted;
  }

  /** Makes an image present, as if it had been pulled. */
  addImage(reference: string): void {
    this.world.images.add(this.engine === 'docker' ? short(reference) : long(reference));
  }

  /** Accepts connections without a response until `respondAgain`. */
  hang(): void {
    this.hanging = true;
  }

  respondAgain(): void {
    this.hanging = false;
  }

  /** The engine ends: connections break, the socket is gone. */
  async goAway(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
    await rm(this.socket, { force: true });
  }

  async comeBack(): Promise<void> {
    if (this.server) return;
    await rm(this.socket, { force: true });
    this.server = createServer((request, response) => {
      void this.serve(request, response).catch((error: unknown) => {
        this.unexpected.push(`${this.engine}: ${String(error)}`);
        response.destroy();
      });
    });
    this.server.on('upgrade', (request, socket, head) => {
      this.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      if (this.logs.attach(request, socket, head)) return;
      this.unexpected.push(`${this.engine}: upgrade of ${request.url ?? ''}`);
      socket.destroy();
    });
    // Engines keep idle connections; Node closes them after five seconds, perhaps as the next request comes.
    this.server.keepAliveTimeout = 0;
    this.server.listen(this.socket);
    await once(this.server, 'listening');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method ?? ''} ${decodeURIComponent(request.url ?? '')}`;
    this.requests.push(line);
    const body = await text(request);
    if (this.hanging) return;
    await this.whileHeld(line);
    const found = operationOf(line);
    if (!found) {
      this.unexpected.push(`${this.engine}: ${line}`);
      send(response, { status: 501, body: { message: `this test expects no ${line}` } });
    } else await this.play(found.operation, found.argument, response, body);
  }

  private async play(
    operation: Operation,
    argument: string,
    response: ServerResponse,
    body: string,
  ): Promise<void> {
    if (operation === 'events') this.follow(response);
    else if (operation.startsWith('list') && this.vanishing > 0) {
      this.vanishing -= 1;
      send(response, vanished());
    } else if (operation === 'inspect' && this.vanishingInspections > 0) {
      this.vanishingInspections -= 1;
      send(response, vanished());
    } else if (operation === 'pull') await this.playPull(argument, response);
    else if (operation === 'archive') this.playArchive(argument, response);
    else if (isChange(operation)) send(response, this.change(operation, argument, body));
    else if (operation === 'connect' || operation === 'disconnect') {
      send(response, this.changeNetwork(operation, JSON.parse(body) as NetworkChange));
    } else if (operation === 'execute') {
      send(
        response,
        this.logs.execute(argument, body) ?? this.images.execute(this.world.find(argument), body),
      );
    } else if (operation === 'logs') {
      const refusal = this.logs.send(argument, response);
      if (refusal) send(response, refusal);
    } else if (operation === 'saveImage' || operation === 'startExecution') {
      const refusal = await (operation === 'saveImage'
        ? this.images.save(argument, response)
        : this.images.startExecution(argument, response));
      if (refusal) send(response, refusal);
    } else send(response, this.reply(operation, argument));
  }

  /** The actions of an engine on a container, and their errors. */
  private change(operation: Change, name: string, body: string): Reply {
    const { world, replies } = this;
    const node = world.find(name);
    if (!node) return replies.change(operation, 'changing-what-is-not-there', { name, id: '', port: null });
    const { state } = node;
    switch (operation) {
      case 'start':
        if (state !== 'exited') {
          return replies.change('start', state === 'paused' ? 'paused' : 'started', node);
        }
        if (this.takenPorts.has(node.name)) return replies.change('start', 'starting-at-a-taken-port', node);
        if (node.boundTo !== null && world.isTaken(node.boundTo, node)) {
          return replies.change('start', 'starting-at-a-taken-address', node);
        }
        world.start(node);
        return replies.change('start', 'starting', node);
      case 'stop':
        if (state === 'exited') return replies.change('stop', 'stopped', node);
        world.stop(node);
        return replies.change('stop', 'stopping', node);
      case 'pause':
        if (state !== 'running') {
          return replies.change('pause', state === 'paused' ? 'paused' : 'stopped', node);
        }
        if (this.busyFreezes > 0) {
          this.busyFreezes -= 1;
          return unfrozen(node.id);
        }
        world.freeze(node, 'pause');
        return replies.change('pause', 'pausing', node);
      case 'unpause':
        if (state !== 'paused') {
          return replies.change('unpause', state === 'running' ? 'unpaused' : 'stopped', node);
        }
        world.freeze(node, 'unpause');
        return replies.change('unpause', 'unpausing', node);
      case 'update': {
        const { Name, MaximumRetryCount } = (
          JSON.parse(body) as { RestartPolicy: { Name: string; MaximumRetryCount: number } }
        ).RestartPolicy;
        node.restartPolicy = MaximumRetryCount > 0 ? `${Name}:${MaximumRetryCount}` : Name;
        return replies.change('update', 'stopping', node);
      }
    }
  }

  /** Takes a container off its network or puts it on. A request that real engines refuse otherwise fails the test. */
  private changeNetwork(
    operation: 'connect' | 'disconnect',
    { Container, EndpointConfig }: NetworkChange,
  ): Reply {
    const node = this.world.find(Container);
    if (!node || node.connected !== (operation === 'disconnect')) {
      throw new Error(`${operation} of ${Container}, which was not recorded`);
    }
    const address = EndpointConfig?.IPAMConfig.IPv4Address;
    if (operation === 'connect' && this.offNetwork.has(node.name)) return this.replies.failedConnection(node);
    Object.assign(node, { connected: operation === 'connect', boundTo: address ?? null });
    return this.replies.network(operation);
  }

  private reply(
    operation: Exclude<
      Operation,
      | 'events'
      | 'pull'
      | 'archive'
      | 'execute'
      | 'logs'
      | 'saveImage'
      | 'startExecution'
      | 'connect'
      | 'disconnect'
      | Change
    >,
    argument: string,
  ): Reply {
    const { world, replies } = this;
    const node = world.find(argument);
    switch (operation) {
      case 'ping':
        return ok(replies.ping());
      case 'version':
        return ok(replies.version());
      case 'info':
        return ok(replies.info(this.system, this.cgroupVersion));
      case 'listAll':
        return ok(replies.list(world.nodes));
      case 'listEvery':
        return ok([...replies.list(world.nodes), ...replies.foreign(), ...this.logs.summaries()]);
      case 'listOne':
        return ok(replies.list(world.nodesOf(argument)));
      case 'inspect':
        return node ? ok(replies.inspect(node)) : (this.logs.inspect(argument) ?? replies.removal(node));
      case 'stats':
        return node ? ok(replies.stats(node)) : replies.removal(node);
      case 'images':
        return ok(replies.images());
      case 'image':
        return replies.image(argument);
      case 'removeImage':
        return this.undeletable.has(argument) ? busy(argument) : this.images.remove(argument);
      case 'execution':
        return this.logs.execution(argument) ?? this.images.execution(argument);
      case 'measure':
        return ok(this.images.measure());
      case 'volumes':
        return ok(replies.volumes());
      case 'volume':
        return replies.volume(argument);
      case 'removeContainer': {
        if (node && this.undeletable.has(node.name)) return replies.failedRemoval(node);
        const reply = replies.removal(node);
        // Named volumes, as Podman's nodes have, stay behind.
        if (node) world.remove(node, this.engine === 'docker');
        return reply;
      }
      case 'removeVolume':
        if (this.undeletable.has(argument)) return busy(argument);
        if (world.nodes.some(({ volume }) => volume === argument)) {
          return { status: 409, body: { message: `remove ${argument}: volume is in use` } };
        }
        return replies.volumeRemoval(world.volumes.delete(argument));
    }
  }

  private follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const publish = (event: WorldEvent): void => {
      if (!this.hanging) response.write(`${JSON.stringify(this.replies.event(event))}\n`);
    };
    this.world.events.on('event', publish);
    response.once('close', () => this.world.events.off('event', publish));
  }

  private playArchive(argument: string, response: ServerResponse): void {
    const [name = '', path = ''] = argument.split('/archive?path=');
    const folder = this.folders.get(decodeURIComponent(path));
    const reply = folder ?? this.replies.archive(this.world.find(name), path);
    if (Buffer.isBuffer(reply)) {
      response.writeHead(200, { 'content-type': 'application/x-tar' });
      response.end(reply);
    } else send(response, reply);
  }

  private async playPull(reference: string, response: ServerResponse): Promise<void> {
    const { missing, messageMs } = this.pull;
    const found = !missing.has(reference);
    const reply = this.replies.pull(found);
    if (!reply.stream) {
      send(response, reply);
      return;
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    for (const message of reply.stream) {
      if (messageMs > 0) await delay(messageMs);
      if (response.destroyed) return;
      response.write(`${JSON.stringify(message)}\n`);
    }
    if (found) this.addImage(reference);
    response.end();
  }
}

type Reply = Pick<Exchange, 'status' | 'body'>;

function busy(name: string): Reply {
  return { status: 500, body: { message: `${name}: device or resource busy` } };
}

function ok(body: unknown): Reply {
  return { status: 200, body };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  // A plain word, as in the response to a ping, is not JSON.
  if (body === undefined || typeof body === 'string') response.writeHead(status).end(body ?? '');
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
