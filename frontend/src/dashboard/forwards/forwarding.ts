import { inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ForwardDto, ResourceObjectDto } from '../../shared/api/api-types';
import { Dialogs } from '../../shared/ui/dialogs';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { OBJECT, objectParams } from '../resource-model/resource-address';
import type { ForwardQuestion } from './start-forward-dialog';
import { type ForwardObject, groupOf, portsOf } from './target-ports';

/** Identifies a port-forward. */
export type OpenForward = ForwardObject & Pick<ForwardDto, 'port' | 'local_port'>;

/** Starts, opens and stops port-forwards, and shows what fails. */
@Service()
export class Forwarding {
  private readonly actions = inject(ClusterActions);
  private readonly api = inject(Api);
  private readonly dialogs = inject(Dialogs);
  private readonly toaster = inject(Toaster);

  /**
   * Lets the user choose the ports. @param port the port that is chosen at first
   * @returns undefined if nothing was started
   */
  async start(
    key: ClusterKey,
    object: ResourceObjectDto,
    target: ForwardObject,
    port?: number,
  ): Promise<ForwardDto | undefined> {
    const data: ForwardQuestion = { key, target, ports: portsOf(object), port };
    const started = await this.dialogs.open<ForwardDto>(
      () => import('./start-forward-dialog').then((file) => file.StartForwardDialog),
      { data, width: '520px' },
    );
    if (started) {
      const { local_address: address, object: name } = started;
      this.toaster.done($localize`${address}:address: leads to ${name}:object:.`);
    }
    return started;
  }

  /** As `start`, for an object that is not loaded. */
  async startFor(key: ClusterKey, target: ForwardObject, port?: number): Promise<void> {
    const { plural, namespace, object } = target;
    await this.actions.attempt($localize`Could not forward a port of ${object}:object:.`, async () => {
      const name = { group: groupOf(plural), version: 'v1', plural, namespace, name: object };
      await this.start(key, await this.api.get(OBJECT, objectParams(key, name)), target, port);
    });
  }

  /** Opens its page in a new window by a link that works once. */
  async open(key: ClusterKey, forward: OpenForward): Promise<void> {
    const { plural, namespace, object, port, local_port } = forward;
    // Opened before the response: browsers block a later window as a popup.
    const page = window.open('about:blank', '_blank');
    if (page) page.opener = null;
    const isOpen = await this.actions.attempt($localize`Could not open ${object}:object:.`, async () => {
      const { url } = await this.api.send('POST /api/v1/clusters/{name}/forwards', key, {
        plural,
        namespace,
        object,
        port,
        local_port,
      });
      if (page && url !== null) page.location.href = url;
    });
    if (!isOpen) page?.close();
  }

  /** @returns the remaining ones; undefined if it failed */
  async stop(key: ClusterKey, { id }: ForwardDto): Promise<ForwardDto[] | undefined> {
    let left: ForwardDto[] | undefined;
    await this.actions.attempt($localize`Could not stop the port-forward.`, async () => {
      left = await this.api.send('DELETE /api/v1/clusters/{name}/forwards/{id}', { ...key, id });
    });
    return left;
  }
}
