import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import { StorageHealth } from '../../core/storage/index.js';

/** Why the routes of health need no sign-in. */
export const HEALTH_IS_PUBLIC = 'health checks of containers and proxies have no session';

/** Whether this application can serve. Engines and clusters do not count: without them, health is `degraded`. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private state: 'starting' | 'ready' | 'stopping' = 'starting';

  constructor(private readonly storage: StorageHealth) {}

  /** Called when the application has recovered the work of its last run. */
  open(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  /** Nest calls this first when it closes the application. Requests are served until jobs have ended. */
  onModuleDestroy(): void {
    this.state = 'stopping';
  }

  /** @throws DomainError `starting`, `shutting_down` or `storage_unavailable` */
  require(): void {
    if (this.state === 'starting') throw new DomainError('starting', 'Slipway is starting. Try again soon.');
    if (this.state === 'stopping') {
      throw new DomainError('shutting_down', 'Slipway is stopping. Start it again first.');
    }
    try {
      this.storage.verify();
    } catch (error) {
      throw new DomainError('storage_unavailable', `Could not read the database: ${reasonOf(error)}.`);
    }
  }
}
