import { inject, Service } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { Dialogs } from '../../shared/ui/dialogs';
import type { DebuggedPod, DebugQuestion } from './debug-question';
import { Shells } from './shells';

/** Opens shells in debug containers. */
@Service()
export class DebugShell {
  private readonly dialogs = inject(Dialogs);
  private readonly shells = inject(Shells);

  /** Lets the user choose the image. @returns whether a shell was opened */
  async ask(key: ClusterKey, { namespace, pod, container }: DebuggedPod): Promise<boolean> {
    const data: DebugQuestion = { key, namespace, pod, container };
    const image = await this.dialogs.open<string>(
      () => import('./debug-dialog').then((file) => file.DebugDialog),
      { data, width: '520px', panelClass: 'dialog-pane' },
    );
    if (image === undefined) return false;
    this.shells.start({
      key,
      target: 'debug',
      namespace,
      pod,
      image,
      ...(container !== undefined && { container }),
    });
    return true;
  }
}
