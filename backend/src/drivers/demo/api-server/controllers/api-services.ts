import type { ClusterState } from '../cluster-state.js';
import type { ApiObject } from '../shapes.js';
import type { Controller } from './controller.js';
import { withConditions } from './pod-state.js';

interface ApiService extends ApiObject {
  status?: { conditions?: Parameters<typeof withConditions>[0] };
}

/** An API that something in the cluster serves is available once it is announced: what would serve it is made up. */
export class ApiServices implements Controller {
  readonly type = 'apiservices.apiregistration.k8s.io';

  constructor(private readonly state: ClusterState) {}

  reconcile(object: ApiObject): void {
    const service = object as ApiService;
    this.state.update<ApiService>(this.type, service, {
      status: {
        conditions: withConditions(
          service.status?.conditions,
          [{ type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' }],
          this.state.timeline.time,
        ),
      },
    });
  }
}
