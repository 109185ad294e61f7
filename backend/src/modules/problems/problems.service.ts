import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { ClustersService } from '../clusters/index.js';
import type { ProblemDto } from './problem.dto.js';

/** What does not work in the clusters that run. */
@Injectable()
export class ProblemsService {
  /** Emits after each change of the list. */
  readonly changes = new Subject<void>();
  private readonly found = new Map<string, readonly ProblemDto[]>();

  constructor(private readonly clusters: ClustersService) {}

  /** By cluster; in each, the oldest first. */
  list(): ProblemDto[] {
    return [...this.found.values()].flat();
  }

  /** @throws DomainError as `ClustersService.get` */
  async ofCluster(name: string, runtime: string | undefined): Promise<ProblemDto[]> {
    const cluster = await this.clusters.get(name, runtime);
    return this.list().filter((each) => each.cluster === cluster.name && each.runtime === cluster.runtime);
  }
}
