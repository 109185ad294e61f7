import { Dialog } from '@angular/cdk/dialog';
import { DOCUMENT, inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { ClusterKey } from '../../shared/api/api';
import type { AddonOperationDto } from '../../shared/api/api-types';
import { loadPart } from '../../shared/loading/load-part';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import type { ChartChoice, ReleaseName } from './addons-api';

export interface InstallWish {
  key: ClusterKey;
  title: string;
  /** Null: the release keeps the chart that it has. */
  chart: ChartChoice | null;
  /** What is upgraded, with the values that it was given; without it something is installed. */
  upgrades?: ReleaseName & { values: string; chart: string; version: string; source: string | null };
}

/** Opens the form for an install or an upgrade. */
@Service()
export class InstallAddon {
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);

  /** @returns the job that was begun, if one was */
  async open(wish: InstallWish): Promise<AddonOperationDto | undefined> {
    const { InstallDialog } = await loadPart(() => import('./install-dialog'));
    const open = this.dialog.open<AddonOperationDto, InstallWish>(InstallDialog, {
      data: wish,
      ariaLabelledBy: 'install-title',
      autoFocus: 'dialog',
      // What was typed is not lost by a click beside it.
      disableClose: true,
      width: '860px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    const operation = await firstValueFrom(open.closed);
    catchLostFocus(this.document);
    return operation;
  }
}
