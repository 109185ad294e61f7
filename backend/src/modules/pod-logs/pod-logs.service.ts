import { Injectable } from '@nestjs/common';
import { Slots } from '../../core/api/index.js';
import { DomainError, guardedTimeout } from '../../core/errors/index.js';
import type { PodContainer } from '../../drivers/kubernetes/index.js';
import { ClusterResources } from '../resources/index.js';
import { ResponseLimits, LineAssembler } from '../log-lines/index.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { type LineBatch, withBoundedBacklog } from './bounded-backlog.js';
import type { PodLogQueryDto } from './pod-logs.dto.js';

/** How long a log that is not followed may pause. */
const IDLE_MS = 30_000;

export interface PodAddress {
  cluster: string;
  runtime: string | undefined;
  namespace: string;
  pod: string;
}

/** Reads logs of pods from their cluster. Nothing is stored. */
@Injectable()
export class PodLogsService {
  private readonly slots = new Slots('Pod logs', { total: 128, perCluster: 64 });

  constructor(
    private readonly resources: ClusterResources,
    private readonly limits: ResponseLimits,
  ) {}

  /** @throws DomainError `resource_not_found`, and what opening a cluster throws */
  async containers(of: PodAddress): Promise<PodContainer[]> {
    const logs = await this.resources.podLogs(of.cluster, of.runtime);
    const { containers } = await logs.find({ namespace: of.namespace, name: of.pod });
    return containers;
  }

  /**
   * Batches of lines. The backlog is limited like a page: older lines are omitted and counted.
   * @param share number of logs that share this limit
   * @throws DomainError `log_unreadable`, `too_many_requests`, and what opening a cluster throws
   */
  read(
    of: PodAddress,
    query: Omit<PodLogQueryDto, 'runtime'>,
    signal: AbortSignal,
    share = 1,
  ): AsyncGenerator<LineBatch> {
    const bytes = this.limits.pageBytes / share;
    const now = Date.now() * 1000;
    return withBoundedBacklog(this.lines(of, query, signal), { tail: query.tail, bytes, now });
  }

  private async *lines(
    of: PodAddress,
    { container, previous, follow, tail }: Omit<PodLogQueryDto, 'runtime'>,
    signal: AbortSignal,
  ): AsyncGenerator<NewLogLine[]> {
    const release = this.slots.take(of.cluster);
    const idle = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const wait = (): void => {
      if (!follow) timer = guardedTimeout(() => idle.abort(), IDLE_MS, 'end an idle log');
    };
    try {
      const logs = await this.resources.podLogs(of.cluster, of.runtime);
      const assembler = new LineAssembler();
      const start = { container, previous, follow, tail, since: null };
      const both = AbortSignal.any([signal, idle.signal]);
      wait();
      for await (const pieces of logs.open({ namespace: of.namespace, name: of.pod }, start, both)) {
        clearTimeout(timer);
        const lines = assembler.take(pieces, Date.now());
        if (lines.length > 0) yield lines;
        wait();
      }
      if (idle.signal.aborted) {
        throw new DomainError('log_unreadable', 'The log did not continue within 30 s. Read it again.');
      }
      const last = assembler.flush();
      if (last.length > 0) yield last;
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}
