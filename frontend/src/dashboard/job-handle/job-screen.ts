import type { ComponentType } from '@angular/cdk/portal';
import { Location } from '@angular/common';
import { inject, Service } from '@angular/core';
import { NavigationEnd, Router } from '@angular/router';
import { filter, firstValueFrom } from 'rxjs';
import { Dialogs } from '../../shared/ui/dialogs';
import type { DialogOptions } from '../../shared/ui/open-dialog';

/** The view of a job above the page. It is in the URL: a reload keeps it, and Back closes it. */
@Service()
export class JobScreen {
  private readonly dialogs = inject(Dialogs);
  private readonly location = inject(Location);
  private readonly router = inject(Router);

  /** Opens a dialog that starts a job, then the view of the job. */
  async openAfter(load: () => Promise<ComponentType<unknown>>, config: DialogOptions<number>): Promise<void> {
    const jobId = await this.dialogs.open(load, config);
    if (jobId !== undefined) await this.open(jobId);
  }

  async open(jobId: number): Promise<void> {
    await this.go(jobId, { opened: true });
  }

  /** @returns once the view is closed; does nothing if it is not open */
  async close(): Promise<void> {
    if (!this.isOpen()) return;
    const state = this.location.getState() as { opened?: boolean } | null;
    if (state?.opened !== true) {
      await this.go(null, {});
      return;
    }
    const closed = firstValueFrom(this.router.events.pipe(filter((event) => event instanceof NavigationEnd)));
    this.location.back();
    await closed;
  }

  private isOpen(): boolean {
    return this.router.parseUrl(this.router.url).queryParamMap.has('progress');
  }

  private async go(jobId: number | null, state: { opened?: boolean }): Promise<void> {
    await this.router.navigate([], {
      queryParams: { progress: jobId },
      queryParamsHandling: 'merge',
      // Back from the job of a retry leads to the page, not to the job that failed.
      replaceUrl: this.isOpen(),
      scroll: 'manual',
      state,
    });
  }
}
