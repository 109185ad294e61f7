import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { clusterName, sendMessage, Slots, validationPipe } from '../../core/api/index.js';
import { DomainError, type ErrorCode, reasonOf } from '../../core/errors/index.js';
import { AppLogger, runAs, SYSTEM_ACTOR } from '../../core/logging/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import { recordOf } from '../../core/values/index.js';
import { SessionSockets } from '../auth/index.js';
import type { ClusterKey } from '../clusters/index.js';
import { ExternalClustersService } from '../external-clusters/index.js';
import { JobsService, type Job } from '../jobs/index.js';
import { JournalService, type NewJournalEntry } from '../journal/index.js';
import { OpenShell } from './open-shell.js';
import type { ShellServerMessage } from './shell-messages.js';
import { ShellQueryDto } from './shell-query.dto.js';
import { ShellsService, type Shell, type ShellPlace } from './shells.service.js';

/** Clients send input in smaller frames. */
const MAX_FRAME = 65_536;
/** Jobs that end the containers of a cluster. */
const CLOSING_JOBS: readonly Job['kind'][] = ['stop', 'delete', 'recreate', 'pause'];
const INTERNAL_ERROR = 1011;

/** Sockets with a shell each. The access policy has checked that the client may use the whole API. */
@WebSocketGateway({
  path: '/api/v1/clusters/:name/shells',
  scope: 'full',
  takesBytes: true,
  maxPayload: MAX_FRAME,
  perMessageDeflate: false,
})
export class ShellsGateway
  implements OnGatewayConnection<WebSocket>, OnModuleInit, BeforeApplicationShutdown
{
  private readonly open = new Map<OpenShell, ClusterKey>();
  private readonly served = new Map<WebSocket, Promise<void>>();
  private readonly query = validationPipe();
  private readonly slots = new Slots('shells', { total: 64, perCluster: 32 });

  constructor(
    private readonly shells: ShellsService,
    private readonly sockets: SessionSockets,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly external: ExternalClustersService,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.jobs.changes.subscribe(({ job }) => this.followJob(job));
    this.external.changesOff.subscribe((name) => {
      this.closeAll(
        { name, runtime: EXTERNAL_RUNTIME },
        'changes_off',
        `The shell was closed because changes were turned off for ${name}.`,
      );
    });
  }

  /** Waits until the processes of all shells have ended, which has a deadline. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const shell of this.open.keys()) shell.close('shutting_down', 'Slipway is stopping.');
    for (const socket of this.served.keys()) socket.close(1001, 'Slipway is stopping');
    await Promise.all(this.served.values());
  }

  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    // The session has too many sockets.
    if (socket.readyState !== socket.OPEN) return;
    const actor = this.sockets.actorOf(socket) ?? SYSTEM_ACTOR;
    const served = runAs(actor, () => this.serve(socket, request))
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) this.logger.failure('a shell failed', error);
        this.refuse(socket, error);
      })
      .finally(() => this.served.delete(socket));
    this.served.set(socket, served);
  }

  private async serve(socket: WebSocket, { url = '' }: IncomingMessage): Promise<void> {
    const { pathname, search } = new URL(url, 'ws://slipway');
    const query = (await this.query.transform(parse(search.slice(1)), {
      type: 'query',
      metatype: ShellQueryDto,
    })) as ShellQueryDto;
    const cluster = clusterName(pathname.split('/')[4] ?? '');
    const release = this.slots.take(cluster);
    try {
      await this.run(socket, query, await this.shells.find(cluster, query));
    } finally {
      release();
    }
  }

  private async run(socket: WebSocket, query: ShellQueryDto, place: ShellPlace): Promise<void> {
    const shell = await place.start((message) => send(socket, { type: 'progress', message }));
    // A debug container takes time to start, during which changes may be turned off.
    if (place.key.runtime === EXTERNAL_RUNTIME) {
      await this.external.assertChanges(place.key.name).catch(async (error: unknown) => {
        shell.program.stream.destroy();
        await shell.end(false);
        throw error;
      });
    }
    shell.program.resize({ columns: query.columns, rows: query.rows });
    if (socket.readyState !== socket.OPEN) {
      await shell.end(false);
      return;
    }
    try {
      const message = `Opened a shell in ${place.where}.`;
      this.journal.record(entryOf(place, { kind: 'shell-open', message }));
    } catch (error) {
      // Every shell must be in the journal.
      shell.program.stream.destroy();
      await shell.end(false);
      throw error;
    }
    await this.keepOpen(socket, place, shell);
  }

  private async keepOpen(socket: WebSocket, place: ShellPlace, shell: Shell): Promise<void> {
    const startedAt = performance.now();
    send(socket, { type: 'ready', container: shell.container });
    const open = new OpenShell(socket, shell.program, shell.endOfPlace);
    this.open.set(open, place.key);
    const exited = await open.ended;
    this.open.delete(open);
    const duration_ms = Math.round(performance.now() - startedAt);
    const problem = await shell.end(exited).then(() => undefined, reasonOf);
    const more = problem === undefined ? '' : ` Could not end its processes: ${problem}`;
    const message = `${exited ? 'Ended' : 'Closed'} the shell in ${place.where}.${more}`;
    this.journal.recordEventually(entryOf(place, { kind: 'shell-close', message, duration_ms }));
  }

  private refuse(socket: WebSocket, error: unknown): void {
    if (!(error instanceof DomainError)) {
      socket.close(INTERNAL_ERROR, 'Slipway failed. Its log has the details.');
      return;
    }
    const { code, message } = error;
    send(socket, { type: 'error', code, message, no_shell: recordOf(error.details)['no_shell'] === true });
    socket.close(1000);
  }

  private followJob({ id, kind, state, cluster, runtime }: Job): void {
    if (!CLOSING_JOBS.includes(kind) || state !== 'running') return;
    this.closeAll(
      { name: cluster, runtime },
      'cluster_state',
      `The shell was closed because job ${id} (${kind}) started.`,
    );
  }

  private closeAll({ name, runtime }: ClusterKey, code: ErrorCode, message: string): void {
    for (const [shell, key] of this.open) {
      if (key.name === name && key.runtime === runtime) shell.close(code, message);
    }
  }
}

function entryOf({ key, subject }: ShellPlace, entry: NewJournalEntry): NewJournalEntry {
  return { cluster: key.name, runtime: key.runtime, subject, ...entry };
}

function send(socket: WebSocket, message: ShellServerMessage): void {
  if (socket.readyState === socket.OPEN) sendMessage(socket, message);
}
