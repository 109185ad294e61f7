import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { guardedInterval } from '../../core/errors/index.js';
import { MAX_BUFFERED } from '../../core/api/index.js';
import { ADOPTED_CLUSTER_NAME, NAMESPACE_NAME, isTypeName, RUNTIME_ID } from '../../core/security/index.js';
import { MAX_NAMESPACES, ResourceFeeds, type Feed } from '../resources/index.js';
import type { ResourceTopic, ServerMessage } from './event-messages.js';

/** Interval between messages. Changes are collected meanwhile. */
const TICK_MS = 250;
/** Maximum number of messages per table and interval. */
const PARTS_AT_ONCE = 6;

interface ResourceTarget {
  runtime: string;
  name: string;
  /** Of the rows of an overview; undefined for all. */
  namespaces?: string[];
  /** Undefined for the overview. */
  type?: { group: string; version: string; plural: string };
}

type Source = Feed<ServerMessage>;

/** Sends changes in clusters to pages. A page that does not read receives the current state later. */
@Injectable()
export class ResourceTopics implements BeforeApplicationShutdown {
  private readonly clients = new Map<WebSocket, Map<ResourceTopic, Source>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly feeds: ResourceFeeds) {}

  beforeApplicationShutdown(): void {
    for (const socket of this.clients.keys()) this.leaveAll(socket);
  }

  /** @param after the position of a table that the client has read */
  join(socket: WebSocket, topic: ResourceTopic, after?: string): void {
    const sources = this.clients.get(socket) ?? new Map<ResourceTopic, Source>();
    if (sources.has(topic)) return;
    const target = readTopic(topic);
    if (!target) return;
    this.clients.set(socket, sources.set(topic, this.open(topic, target, after)));
    this.timer ??= guardedInterval(() => this.send(), TICK_MS, 'send changes').unref();
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

  private open(
    topic: ResourceTopic,
    { name, runtime, type, namespaces }: ResourceTarget,
    after: string | undefined,
  ): Source {
    if (type) {
      return messages(this.feeds.table({ name, runtime }, type, after), (frame) => ({
        type: 'resources',
        topic,
        ...frame,
      }));
    }
    return messages(this.feeds.overview({ name, runtime }, namespaces), (frame) => ({
      type: 'overview',
      topic,
      cluster: name,
      runtime,
      ...frame,
    }));
  }

  private send(): void {
    for (const [socket, sources] of this.clients) {
      for (const [topic, source] of sources) {
        try {
          sendParts(socket, source);
        } catch (error) {
          source.close();
          // It stays, so that the page does not subscribe again to what fails.
          sources.set(topic, { ...source, next: () => null });
          socket.send(JSON.stringify(source.failed(error)));
        }
      }
    }
  }
}

function sendParts(socket: WebSocket, source: Source): void {
  for (let part = 0; part < PARTS_AT_ONCE; part += 1) {
    // Nothing is rendered for a client that does not read.
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
    failed: (error) => render(feed.failed(error)),
  };
}

export function isResourceTopic(topic: string): topic is ResourceTopic {
  return readTopic(topic) !== undefined;
}

function readTopic(topic: string): ResourceTarget | undefined {
  const [, about, rest = ''] = /^(overview|resources):(.{1,1500})$/.exec(topic) ?? [];
  const [runtime = '', name = '', group = '', version = '', plural = '', ...more] = rest.split('/');
  if (
    about === undefined ||
    more.length > 0 ||
    !RUNTIME_ID.test(runtime) ||
    !ADOPTED_CLUSTER_NAME.test(name)
  ) {
    return undefined;
  }
  if (about === 'overview') return overviewTarget(runtime, name, rest.split('/').slice(2));
  if (!isTypeName({ group, version, plural })) return undefined;
  return { runtime, name, type: { group: group === 'core' ? '' : group, version, plural } };
}

/** @param rest after the cluster: none, or its namespaces separated by commas */
function overviewTarget(runtime: string, name: string, rest: readonly string[]): ResourceTarget | undefined {
  if (rest.length === 0) return { runtime, name };
  const namespaces = (rest[0] ?? '').split(',');
  const isValid =
    rest.length === 1 &&
    namespaces.length <= MAX_NAMESPACES &&
    namespaces.every((namespace) => NAMESPACE_NAME.test(namespace));
  return isValid ? { runtime, name, namespaces } : undefined;
}
