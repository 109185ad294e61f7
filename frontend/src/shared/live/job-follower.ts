import { computed, DestroyRef, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { Api } from '../api/api';
import { ApiProblem } from '../api/api-problem';
import type { JobDto, JobLogLineDto, ServerMessage } from '../api/api-types';
import { boundLog } from './bound-log';
import { isActive } from './jobs-store';
import { LiveConnection } from './live-connection';

/**
 * Follows a job and its log until it ends. Loads missing lines after a lost connection. Provide it in the component
 * that shows the job, then call `follow`.
 */
@Injectable()
export class JobFollower {
  private readonly api = inject(Api);
  private readonly live = inject(LiveConnection);
  private readonly followed = signal<number | null>(null);
  private readonly known = signal<JobDto | undefined>(undefined);
  private readonly log = signal<readonly JobLogLineDto[]>([]);
  private readonly failure = signal<ApiProblem | null>(null);
  private complete = false;
  private following = new AbortController();
  private loading = false;
  private loadsAgain = false;

  readonly job = this.known.asReadonly();
  readonly lines = this.log.asReadonly();
  /** Why the last request failed; `job` is then the last known state. */
  readonly problem = this.failure.asReadonly();
  readonly ended = computed(() => {
    const job = this.known();
    return job !== undefined && !isActive(job);
  });

  constructor() {
    effect((onCleanup) => {
      const id = this.followed();
      if (id === null) return;
      const stop = untracked(() =>
        this.live.listen({
          topics: ['jobs', `job:${id}`],
          pollEveryMs: 1000,
          refresh: () => {
            if (!this.complete) void this.reload();
          },
          onMessage: (message) => this.receive(message),
        }),
      );
      onCleanup(stop);
    });
    inject(DestroyRef).onDestroy(() => this.following.abort());
  }

  /** Reads a value of the job; `otherwise` while the job is unknown. */
  read<T>(read: (job: JobDto) => T, otherwise: T): T {
    const job = this.known();
    return job ? read(job) : otherwise;
  }

  follow(id: number | null): void {
    if (id === untracked(this.followed)) return;
    this.following.abort();
    this.following = new AbortController();
    this.complete = false;
    this.loading = false;
    this.loadsAgain = false;
    this.known.set(undefined);
    this.log.set([]);
    this.failure.set(null);
    this.followed.set(id);
  }

  async reload(): Promise<void> {
    const id = this.followed();
    if (id === null) return;
    if (this.loading) {
      this.loadsAgain = true;
      return;
    }
    const { signal } = this.following;
    this.loading = true;
    do {
      try {
        const { progress_log: lines, ...job } = await this.api.get(
          '/api/v1/jobs/{id}',
          { id, log_after: this.lastSequence() },
          signal,
        );
        if (signal.aborted) return;
        this.append(lines);
        this.accept(job);
        this.complete = !isActive(job);
        this.failure.set(null);
      } catch (error) {
        if (signal.aborted) return;
        this.failure.set(ApiProblem.of(error));
      }
    } while (this.takeReload());
    this.loading = false;
  }

  private takeReload(): boolean {
    const wanted = this.loadsAgain;
    this.loadsAgain = false;
    return wanted;
  }

  private receive(message: ServerMessage): void {
    const id = this.followed();
    if (message.type === 'job' && message.job.id === id) {
      this.accept(message.job);
      // The last lines may not have arrived yet.
      if (!isActive(message.job) && !this.complete) void this.reload();
    } else if (message.type === 'job_log' && message.job_id === id) {
      const next = message.lines.find(({ sequence }) => sequence > this.lastSequence());
      if (!next) return;
      if (next.sequence > this.lastSequence() + 1) void this.reload();
      else this.append(message.lines);
    }
  }

  private accept(job: JobDto): void {
    const known = this.known();
    if (known && !isActive(known) && isActive(job)) return;
    this.known.set(job);
  }

  private append(lines: readonly JobLogLineDto[]): void {
    const last = this.lastSequence();
    const fresh = lines.filter(({ sequence }) => sequence > last);
    if (fresh.length > 0) this.log.update((kept) => boundLog([...kept, ...fresh]));
  }

  private lastSequence(): number {
    return untracked(this.log).at(-1)?.sequence ?? 0;
  }
}
