import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { PodContainer } from '../../drivers/kubernetes/index.js';
import { ClusterResources } from '../resources/index.js';
import { ResponseLimits, LineAssembler } from '../log-lines/index.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { type LineBatch, withBoundedBacklog } from './bounded-backlog.js';
import type { PodLogQueryDto } from './pod-logs.dto.js';

/** Limits open logs: each keeps a connection to an API server open. */
const MAX_OPEN_LOGS = 64;

export interface PodAddress {
  cluster: string;
  runtime: string | undefined;
  namespace: string;
  pod: string;
}

/** Reads logs of pods from their cluster. Nothing is stored. */
@Injectable()
export class PodLogsService {
  private openLogs = 0;

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
   * @throws DomainError `log_unreadable`, `too_many_requests`, and what opening a cluster throws
   */
  read(of: PodAddress, query: PodLogQueryDto, signal: AbortSignal): AsyncGenerator<LineBatch> {
    const { pageBytes: bytes } = this.limits;
    const now = Date.now() * 1000;
    return withBoundedBacklog(this.lines(of, query, signal), { tail: query.tail, bytes, now });
  }

  private async *lines(
    of: PodAddress,
    { container, previous, follow, tail }: PodLogQueryDto,
    signal: AbortSignal,
  ): AsyncGenerator<NewLogLine[]> {
    if (this.openLogs >= MAX_OPEN_LOGS) {
      throw new DomainError(
        'too_many_requests',
        `${MAX_OPEN_LOGS} pod logs are already open. Close one and try again.`,
      );
    }
    this.openLogs += 1;
    try {
      const logs = await this.resources.podLogs(of.cluster, of.runtime);
      const assembler = new LineAssembler();
      const start = { container, previous, follow, tail, since: null };
      for await (const pieces of logs.open({ namespace: of.namespace, name: of.pod }, start, signal)) {
        const lines = assembler.take(pieces, Date.now());
        if (lines.length > 0) yield lines;
      }
      const last = assembler.flush();
      if (last.length > 0) yield last;
    } finally {
      this.openLogs -= 1;
    }
  }
}
