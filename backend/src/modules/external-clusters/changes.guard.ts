import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../core/errors/index.js';
import { recordOf } from '../../core/values/index.js';
import { clusterUse, EXTERNAL_RUNTIME, RUNTIME_ID, withoutLifeCycle } from '../../core/security/index.js';
import { ExternalClustersService } from './external-clusters.service.js';

/** Routes of one cluster, in Express' form. */
const OF_CLUSTER = /\/clusters\/:name(\/|$)/;

/** Rejects requests that would change a cluster of a kubeconfig for which changes are off, or that only kind serves. */
@Injectable()
export class ChangesGuard implements CanActivate {
  constructor(private readonly clusters: ExternalClustersService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { params, query, method } = request;
    const path = String(recordOf(request.route)['path']);
    const { name } = params;
    if (!OF_CLUSTER.test(path) || typeof name !== 'string') return true;
    const { runtime } = query;
    const isOther = typeof runtime === 'string' && RUNTIME_ID.test(runtime) && runtime !== EXTERNAL_RUNTIME;
    if (isOther) return true;
    if (!this.clusters.find(name)) return true;
    switch (clusterUse([context.getHandler(), context.getClass()], method)) {
      case 'read':
        return true;
      case 'kind-only':
        throw externalError(name);
      case 'change':
        await this.clusters.assertChanges(name);
        return true;
    }
  }
}

export function externalError(name: string): DomainError {
  return new DomainError(
    'cluster_external',
    `${withoutLifeCycle(name)}, and does not see its nodes as containers.`,
  );
}
