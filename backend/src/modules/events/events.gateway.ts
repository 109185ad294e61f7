import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { Subscription } from 'rxjs';
import type { WebSocket } from 'ws';
import { allowListed, MAX_BUFFERED, sendMessage } from '../../core/api/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { mapOf, record, text } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { ClusterDto, ClustersService, ClusterWatcher } from '../clusters/index.js';
import { JobDto, JobLogLineDto, JobsService, presentJob } from '../jobs/index.js';
import { JournalEntryDto, JournalService } from '../journal/index.js';
import { ProblemDto, ProblemsService } from '../problems/index.js';
import { StatsDto, StatsService } from '../stats/index.js';
import { TOPICS, type ServerMessage, type Topic } from './event-messages.js';
import { isResourceTopic, ResourceTopics } from './resource-topics.js';

const MAX_TOPICS = 50;

const readPositions = record({ after: mapOf(text(100)) });

interface Client {
  topics: Set<Topic>;
  stopStats: (() => void) | undefined;
}

/** Pushes changes to pages. Everything that it sends is also available by polling the API. */
@WebSocketGateway({ path: '/events', maxPayload: 16_384, perMessageDeflate: false })
export class EventsGateway
  implements
    OnGatewayConnection<WebSocket>,
    OnGatewayDisconnect<WebSocket>,
    OnApplicationBootstrap,
    BeforeApplicationShutdown
{
  private readonly clients = new Map<WebSocket, Client>();
  private readonly subscriptions: Subscription[] = [];

  constructor(
    private readonly clusters: ClustersService,
    private readonly watcher: ClusterWatcher,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly stats: StatsService,
    private readonly problems: ProblemsService,
    private readonly resources: ResourceTopics,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.subscriptions.push(
      this.watcher.changes.subscribe(() => void this.publishClusters()),
      this.jobs.changes.subscribe(({ job }) =>
        this.publish('jobs', () => ({ type: 'job', job: allowListed(JobDto, presentJob(job)) })),
      ),
      this.jobs.logChanges.subscribe(({ jobId, lines }) =>
        this.publish(`job:${jobId}`, () => ({
          type: 'job_log',
          job_id: jobId,
          lines: lines.map((line) => allowListed(JobLogLineDto, line)),
        })),
      ),
      this.journal.changes.subscribe((entry) =>
        this.publish('journal', () => ({ type: 'journal', entry: allowListed(JournalEntryDto, entry) })),
      ),
      this.stats.samples.subscribe((stats) =>
        this.publish('stats', () => ({ type: 'stats', stats: allowListed(StatsDto, stats) })),
      ),
      this.problems.changes.subscribe(() =>
        this.publish('problems', () => ({
          type: 'problems',
          problems: this.problems.list().map((problem) => allowListed(ProblemDto, problem)),
        })),
      ),
    );
  }

  /** Runs before the server closes, which would end sockets without a close frame. */
  beforeApplicationShutdown(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const socket of this.clients.keys()) socket.close(1001, 'Slipway is stopping');
  }

  handleConnection(socket: WebSocket): void {
    this.clients.set(socket, { topics: new Set(), stopStats: undefined });
    send(socket, { type: 'hello', version: 1 });
  }

  handleDisconnect(socket: WebSocket): void {
    this.clients.get(socket)?.stopStats?.();
    this.clients.delete(socket);
    this.resources.leaveAll(socket);
  }

  @SubscribeMessage('subscribe')
  subscribe(@ConnectedSocket() socket: WebSocket, @MessageBody() message: unknown): void {
    const client = this.clients.get(socket);
    const topics = readTopics(message);
    if (!client) return;
    if (!topics || client.topics.union(new Set(topics)).size > MAX_TOPICS) {
      send(socket, {
        type: 'error',
        message: `Name up to ${MAX_TOPICS} topics: ${TOPICS.join(', ')}, job:<id>, overview:<runtime>/<cluster>[/<namespace>,…], or resources:<runtime>/<cluster>/<group>/<version>/<plural>.`,
      });
      return;
    }
    const { after = {} } = readPositions(message) ?? {};
    for (const topic of topics) {
      client.topics.add(topic);
      if (isResourceTopic(topic)) this.resources.join(socket, topic, after[topic]);
    }
    if (topics.includes('stats')) client.stopStats ??= this.stats.watch();
  }

  @SubscribeMessage('unsubscribe')
  unsubscribe(@ConnectedSocket() socket: WebSocket, @MessageBody() message: unknown): void {
    const client = this.clients.get(socket);
    if (!client) return;
    for (const topic of readTopics(message) ?? []) {
      client.topics.delete(topic);
      if (isResourceTopic(topic)) this.resources.leave(socket, topic);
    }
    if (client.topics.has('stats')) return;
    client.stopStats?.();
    client.stopStats = undefined;
  }

  @SubscribeMessage('ping')
  ping(@ConnectedSocket() socket: WebSocket): void {
    send(socket, { type: 'pong' });
  }

  private async publishClusters(): Promise<void> {
    if (![...this.clients.values()].some(({ topics }) => topics.has('clusters'))) return;
    try {
      const clusters = await this.clusters.list();
      this.publish('clusters', () => ({
        type: 'clusters',
        clusters: clusters.map((cluster) => allowListed(ClusterDto, cluster)),
      }));
    } catch (error) {
      this.logger.failure('could not send the clusters', error);
    }
  }

  /** Renders a message once, and only if a client has subscribed to the topic. */
  private publish(topic: Topic, render: () => ServerMessage): void {
    let text: string | undefined;
    for (const [socket, { topics }] of this.clients) {
      if (!topics.has(topic) || socket.readyState !== socket.OPEN) continue;
      // The client does not read. The next record replaces this one.
      if (socket.bufferedAmount > MAX_BUFFERED) continue;
      text ??= JSON.stringify(render());
      socket.send(text);
    }
  }
}

function send(socket: WebSocket, message: ServerMessage): void {
  sendMessage(socket, message);
}

function readTopics(message: unknown): Topic[] | undefined {
  const { topics } = recordOf(message);
  if (!Array.isArray(topics) || topics.length > MAX_TOPICS) return undefined;
  return topics.every(isTopic) ? topics : undefined;
}

function isTopic(topic: unknown): topic is Topic {
  if (typeof topic !== 'string') return false;
  return (
    TOPICS.some((known) => known === topic) || /^job:[1-9]\d{0,14}$/.test(topic) || isResourceTopic(topic)
  );
}
