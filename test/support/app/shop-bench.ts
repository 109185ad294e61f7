import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { KubernetesObject, ResourceApi } from '../../../backend/src/drivers/kubernetes/index.js';
import { ClusterResources } from '../../../backend/src/modules/resources/common/cluster-resources.js';
import type { ResourceTableDto } from '../../../backend/src/modules/resources/common/resource.dto.js';
import { createCluster } from './clusters.js';
import { EventSocket } from './event-socket.js';
import { startApp, type TestApp } from './start-app.js';

/** The demo cluster `shop` with seven ConfigMaps of its own, for the specs of its resources. */
export class ShopBench {
  app!: TestApp;
  api!: ResourceApi;
  private readonly sockets: EventSocket[] = [];

  /** Call it in `describe`. */
  constructor() {
    beforeAll(async () => {
      this.app = await startApp();
      await createCluster(this.app.client, 'shop', { workers: 1 });
      ({ api: this.api } = await this.app.nest.get(ClusterResources, { strict: false }).open('shop'));
      for (let index = 0; index < 7; index += 1) {
        await this.put(this.configMap(`paged-${index}`), 'configmaps');
      }
    });
    afterEach(() => {
      for (const socket of this.sockets.splice(0)) socket.close();
    });
    afterAll(() => this.app.stop());
  }

  readonly of = (rest: string): string => `/api/v1/clusters/shop${rest}`;

  readonly table = (rest: string): Promise<ResourceTableDto> =>
    this.app.client.get<ResourceTableDto>(this.of(`/resources/${rest}`));

  readonly put = async (object: KubernetesObject, plural: string): Promise<void> => {
    const { name, namespace = null } = object.metadata;
    await this.api.apply({ group: '', version: 'v1', plural, namespace, name }, object);
  };

  readonly configMap = (name: string, made = 'here'): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { made } },
    data: { colour: 'green' },
  });

  readonly subscribe = async (topic: string, after?: string | null): Promise<EventSocket> => {
    const socket = await EventSocket.open(this.app.port);
    this.sockets.push(socket);
    socket.send({ type: 'subscribe', topics: [topic], ...(after && { after: { [topic]: after } }) });
    await socket.settled();
    return socket;
  };
}
