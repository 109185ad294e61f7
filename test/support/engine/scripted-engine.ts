import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { readTranscript, type EngineName, type Exchange } from '../../transcripts/transcript.js';
import { EngineAnswers, long, short } from './engine-answers.js';
import { EngineWorld, type WorldEvent } from './engine-world.js';

/** Every request that the product makes, in the spelling of the transcripts. Nothing else is answered. */
export const OPERATIONS = {
  version: /^GET \/version$/,
  info: /^GET \/info$/,
  listAll: /^GET \/containers\/json\?all=true&filters=\{"label":\["io\.x-k8s\.kind\.cluster"\]\}$/,
  listOne: /^GET \/containers\/json\?all=true&filters=\{"label":\["io\.x-k8s\.kind\.cluster=([^"]+)"\]\}$/,
  inspect: /^GET \/containers\/([^/]+)\/json$/,
  archive: /^GET \/containers\/([^/]+\/archive\?path=\/.+)$/,
  stats: /^GET \/containers\/([^/]+)\/stats\?stream=false&one-shot=true$/,
  events:
    /^GET \/events\?filters=\{"type":\["container"\],"event":\["start","die","died","pause","unpause","destroy","remove","create","rename"\]\}$/,
  images: /^GET \/images\/json$/,
  image: /^GET \/images\/(.+)\/json$/,
  pull: /^POST \/images\/create\?fromImage=([^&]+)$/,
  volumes: /^GET \/volumes$/,
  volume: /^GET \/volumes\/([^/]+)$/,
  removeContainer: /^DELETE \/containers\/([^/]+)\?force=true&v=true$/,
  removeVolume: /^DELETE \/volumes\/([^/]+)$/,
} as const;

type Operation = keyof typeof OPERATIONS;

export function operationOf(line: string): { operation: Operation; argument: string } | undefined {
  for (const [operation, pattern] of Object.entries(OPERATIONS)) {
    const match = pattern.exec(line);
    if (match) return { operation: operation as Operation, argument: match[1] ?? '' };
  }
  return undefined;
}

/** How pulls go: as fast as they can, unless it is said otherwise. */
interface PullScript {
  /** References that no registry has; those of other images are found. */
  missing: Set<string>;
  /** Between two messages of the engine. */
  messageMs: number;
}

/**
 * An engine's API on a unix socket, played from what the real one said. Strict: a request that no
 * transcript knows is answered 501 and kept in `unexpected`.
 */
export class ScriptedEngine {
  readonly unexpected: string[] = [];
  /** Every request so far, `GET /version`. */
  readonly requests: string[] = [];
  readonly world: EngineWorld;
  readonly pull: PullScript = { missing: new Set(), messageMs: 0 };
  private readonly answers: EngineAnswers;
  private server: Server | undefined;
  private hanging = false;

  private constructor(
    readonly engine: EngineName,
    readonly socket: string,
  ) {
    this.world = new EngineWorld(engine === 'podman');
    this.answers = new EngineAnswers(readTranscript(engine), this.world);
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

  /** Accepts connections and answers nothing from now on; `answerAgain` ends it. */
  hang(): void {
    this.hanging = true;
  }

  answerAgain(): void {
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
    this.server.listen(this.socket);
    await once(this.server, 'listening');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method ?? ''} ${decodeURIComponent(request.url ?? '')}`;
    this.requests.push(line);
    request.resume();
    if (this.hanging) return;
    const found = operationOf(line);
    if (!found) {
      this.unexpected.push(`${this.engine}: ${line}`);
      send(response, { status: 501, body: { message: `this test expects no ${line}` } });
    } else await this.play(found.operation, found.argument, response);
  }

  private async play(operation: Operation, argument: string, response: ServerResponse): Promise<void> {
    if (operation === 'events') this.follow(response);
    else if (operation === 'pull') await this.playPull(argument, response);
    else if (operation === 'archive') this.playArchive(argument, response);
    else send(response, this.answer(operation, argument));
  }

  private answer(operation: Exclude<Operation, 'events' | 'pull' | 'archive'>, argument: string): Answer {
    const { world, answers } = this;
    const node = world.find(argument);
    switch (operation) {
      case 'version':
        return ok(answers.version());
      case 'info':
        return ok(answers.info());
      case 'listAll':
        return ok(answers.list(world.nodes));
      case 'listOne':
        return ok(answers.list(world.nodesOf(argument)));
      case 'inspect':
        return node ? ok(answers.inspect(node)) : answers.removal(node);
      case 'stats':
        return node ? ok(answers.stats(node)) : answers.removal(node);
      case 'images':
        return ok(answers.images());
      case 'image':
        return answers.image(argument);
      case 'volumes':
        return ok(answers.volumes());
      case 'volume':
        return answers.volume(argument);
      case 'removeContainer': {
        const answer = answers.removal(node);
        // Named volumes, as Podman's nodes have, stay behind.
        if (node) world.remove(node, this.engine === 'docker');
        return answer;
      }
      case 'removeVolume':
        return answers.volumeRemoval(world.volumes.delete(argument));
    }
  }

  private follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const tell = (event: WorldEvent): void => {
      if (!this.hanging) response.write(`${JSON.stringify(this.answers.event(event))}\n`);
    };
    this.world.events.on('event', tell);
    response.once('close', () => this.world.events.off('event', tell));
  }

  private playArchive(argument: string, response: ServerResponse): void {
    const [name = '', path = ''] = argument.split('/archive?path=');
    const answer = this.answers.archive(this.world.find(name), path);
    if (Buffer.isBuffer(answer)) {
      response.writeHead(200, { 'content-type': 'application/x-tar' });
      response.end(answer);
    } else send(response, answer);
  }

  private async playPull(reference: string, response: ServerResponse): Promise<void> {
    const { missing, messageMs } = this.pull;
    const found = !missing.has(reference);
    const answer = this.answers.pull(found);
    if (!answer.stream) {
      send(response, answer);
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    for (const message of answer.stream) {
      if (messageMs > 0) await delay(messageMs);
      if (response.destroyed) return;
      response.write(`${JSON.stringify(message)}\n`);
    }
    if (found) this.addImage(reference);
    response.end();
  }
}

type Answer = Pick<Exchange, 'status' | 'body'>;

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
