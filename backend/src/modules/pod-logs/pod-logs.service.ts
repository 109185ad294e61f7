import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { PodContainer } from '../../drivers/kubernetes/index.js';
import { ClusterResources } from '../resources/index.js';
import { ResponseLimits, LineAssembler } from '../log-lines/index.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { type ToldLines, withBoundedBegin } from './bounded-begin.js';
import type { PodLogQueryDto } from './pod-logs.dto.js';

/** Each holds a connection to an API server for as long as its reader likes. */
const MOST_FOLLOWED = 64;

export interface PodAddress {
  cluster: string;
  runtime: string | undefined;
  namespace: string;
  pod: string;
}

/** What a pod writes, read from its cluster at that moment: nothing of it is kept. */
@Injectable()
export class PodLogsService {
  private followed = 0;

  constructor(
    private readonly resources: ClusterResources,
    private readonly bounds: ResponseLimits,
  ) {}

  /** @throws DomainError `resource_not_found`, and what opening a cluster throws */
  async containers(of: PodAddress): Promise<PodContainer[]> {
    const logs = await this.resources.podLogs(of.cluster, of.runtime);
    const { containers } = await logs.find({ namespace: of.namespace, name: of.pod });
    return containers;
  }

  /**
   * Lines as they are read, several at once in each. What the log begins with is bounded as a page is: older lines are
   * left out, and counted.
   * @throws DomainError `log_unreadable`, `too_many_requests`, and what opening a cluster throws
   */
  read(of: PodAddress, query: PodLogQueryDto, signal: AbortSignal): AsyncGenerator<ToldLines> {
    const { pageBytes: bytes } = this.bounds;
    const now = Date.now() * 1000;
    return withBoundedBegin(this.lines(of, query, signal), { tail: query.tail, bytes, now });
  }

  private async *lines(
    of: PodAddress,
    { container, previous, follow, tail }: PodLogQueryDto,
    signal: AbortSignal,
  ): AsyncGenerator<NewLogLine[]> {
    if (this.followed >= MOST_FOLLOWED) {
      throw new DomainError(
        'too_many_requests',
        `${MOST_FOLLOWED} logs of pods are open already. Close one that nobody reads, and try again.`,
      );
    }
    this.followed += 1;
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
      this.followed -= 1;
    }
  }
}
