import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { MAX_BUFFERED } from '../../core/api/index.js';
import {
  ADOPTED_CLUSTER_NAME,
  API_GROUP,
  API_VERSION,
  RESOURCE_PLURAL,
  RUNTIME_ID,
} from '../../core/security/index.js';
import { ResourceFeeds, type Feed } from '../resources/index.js';
import type { ResourceTopic, ServerMessage } from './event-messages.js';

/** Changes are gathered for as long: four messages a second at most. */
const TICK_MS = 250;
/** Parts of one large table that are sent in one go. */
const PARTS_AT_ONCE = 6;

interface Wish {
  runtime: string;
  name: string;
  /** Undefined where it is the overview. */
  type?: { group: string; version: string; plural: string };
}

type Source = Feed<ServerMessage>;

/** Tells pages what changes in a cluster. A page that does not read is told later how it is then. */
@Injectable()
export class ResourceTopics implements BeforeApplicationShutdown {
  private readonly clients = new Map<WebSocket, Map<ResourceTopic, Source>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly feeds: ResourceFeeds) {}

  beforeApplicationShutdown(): void {
    for (const socket of this.clients.keys()) this.leaveAll(socket);
  }

  join(socket: WebSocket, topic: ResourceTopic): void {
    const sources = this.clients.get(socket) ?? new Map<ResourceTopic, Source>();
    if (sources.has(topic)) return;
    const wish = readTopic(topic);
    if (!wish) return;
    this.clients.set(socket, sources.set(topic, this.open(topic, wish)));
    this.timer ??= setInterval(() => this.tell(), TICK_MS).unref();
  }

  leave(socket: WebSocket, topic: ResourceTopic): void {
    const sources = this.clients.get(socket);
    sources?.get(topic)?.close();
    sources?.delete(topic);
    if (sources?.size === 0) this.clients.delete(socket);
    if (this.clients.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  leaveAll(socket: WebSocket): void {
    for (const topic of this.clients.get(socket)?.keys() ?? []) this.leave(socket, topic);
  }

  private open(topic: ResourceTopic, { name, runtime, type }: Wish): Source {
    if (type) {
      return messages(this.feeds.table({ name, runtime }, type), (frame) => ({
        type: 'resources',
        topic,
        ...frame,
      }));
    }
    return messages(this.feeds.overview({ name, runtime }), (frame) => ({
      type: 'overview',
      cluster: name,
      runtime,
      ...frame,
    }));
  }

  private tell(): void {
    for (const [socket, sources] of this.clients) {
      for (const source of sources.values()) tellSome(socket, source);
    }
  }
}

function tellSome(socket: WebSocket, source: Source): void {
  for (let part = 0; part < PARTS_AT_ONCE; part += 1) {
    // It does not read: nothing is rendered for it before it does.
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_BUFFERED) return;
    const message = source.next();
    if (!message) return;
    socket.send(JSON.stringify(message));
  }
}

function messages<TFrame>(feed: Feed<TFrame>, render: (frame: TFrame) => ServerMessage): Source {
  return {
    next: () => {
      const frame = feed.next();
      return frame === null ? null : render(frame);
    },
    close: () => feed.close(),
  };
}

/** Whether a topic is about resources, and holds its grammar. */
export function isResourceTopic(topic: string): topic is ResourceTopic {
  return readTopic(topic) !== undefined;
}

function readTopic(topic: string): Wish | undefined {
  const [, about, rest = ''] = /^(overview|resources):(.{1,500})$/.exec(topic) ?? [];
  const [runtime = '', name = '', group = '', version = '', plural = '', ...more] = rest.split('/');
  if (
    about === undefined ||
    more.length > 0 ||
    !RUNTIME_ID.test(runtime) ||
    !ADOPTED_CLUSTER_NAME.test(name)
  ) {
    return undefined;
  }
  if (about === 'overview') return rest === `${runtime}/${name}` ? { runtime, name } : undefined;
  if (!API_GROUP.test(group) || !API_VERSION.test(version) || !RESOURCE_PLURAL.test(plural)) return undefined;
  return { runtime, name, type: { group: group === 'core' ? '' : group, version, plural } };
}
