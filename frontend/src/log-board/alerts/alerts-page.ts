import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { Api } from '../../shared/api/api';
import { ignore } from '../../shared/api/api-problem';
import type { AlertDto } from '../../shared/api/api-types';
import { PageVisibility } from '../../shared/browser/page-visibility';
import { ApiResource } from '../../shared/loading/api-resource';
import { MayChange } from '../../shared/session/may-change';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { BoardConnection } from '../api/board-connection';
import { switched } from './alert-draft';
import { AlertFirings } from './alert-firings';
import { channelsLabel, deliveryLabel, ruleSummary, sourcesSummary, spanLabel } from './alert-messages';
import { AlertNotifications } from './alert-notifications';
import { formatCount, lineCount } from '../../shared/format/format';

/** The server does not report that an alert stopped firing. */
const REFRESH_MS = 5000;

@Component({
  selector: 'sw-alerts-page',
  imports: [UI, AlertFirings, MayChange],
  templateUrl: './alerts-page.html',
})
export class AlertsPage {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly toaster = inject(Toaster);
  private readonly router = inject(Router);
  private readonly route = inject(ActivatedRoute);
  private readonly visible = inject(PageVisibility).visible;
  private readonly params = toSignal(this.route.queryParamMap, { requireSync: true });
  protected readonly notifications = inject(AlertNotifications);
  protected readonly alerts = new ApiResource<readonly AlertDto[]>(
    async (_, signal) => this.inOrder(await this.api.get('/api/alerts', {}, signal)),
    undefined,
    { refresh: {} },
  );
  protected readonly rows = this.alerts.value;
  protected readonly opened = computed(() => Number(this.params().get('alert') ?? 0));
  /** Grows with each firing, so that the list of firings reloads. */
  protected readonly fired = signal(0);
  /** The running action (`test`, `switch` or `delete`) and the alert's id. */
  protected readonly busy = signal('');
  /** Alerts that fired when the page was opened stay first: no row moves under the pointer. */
  private leading: ReadonlySet<number> | null = null;
  protected readonly ruleSummary = ruleSummary;
  protected readonly sourcesSummary = sourcesSummary;
  protected readonly channelsLabel = channelsLabel;
  protected readonly formatCount = formatCount;
  protected readonly spanLabel = spanLabel;

  constructor() {
    inject(BoardConnection).watch();
    effect(() => {
      this.notifications.firingNow();
      if (untracked(this.rows)) untracked(() => this.refresh());
    });
    this.notifications.firings.pipe(takeUntilDestroyed()).subscribe(() => this.refresh());
    effect((onCleanup) => {
      if (!this.visible()) return;
      const timer = setInterval(() => this.refresh(), REFRESH_MS);
      onCleanup(() => clearInterval(timer));
    });
  }

  protected problemsOf({ problem, missed }: AlertDto): string[] {
    return [
      problem ?? '',
      missed === 0 ? '' : $localize`Skipped ${lineCount(missed)}:lines:: the regex could not keep up.`,
    ].filter((text) => text !== '');
  }

  /** @param data null to create an alert */
  protected async edit(data: AlertDto | null): Promise<void> {
    const saved = await this.dialogs.open<AlertDto>(
      () => import('./alert-dialog').then((file) => file.AlertDialog),
      { data, width: '640px' },
    );
    if (saved) this.alerts.reload();
  }

  protected toggle({ id }: AlertDto): void {
    void this.router.navigate([], {
      queryParams: { alert: this.opened() === id ? null : id },
      replaceUrl: true,
    });
  }

  protected async turn(alert: AlertDto, box: HTMLInputElement): Promise<void> {
    const enabled = box.checked;
    const failure = $localize`Could not change ${alert.name}:name:.`;
    const done = await this.run(`switch ${alert.id}`, failure, () =>
      this.api.send('PUT /api/alerts/{id}', { id: alert.id }, switched(alert, enabled)),
    );
    if (!done) box.checked = alert.enabled;
  }

  protected async test({ id, name }: AlertDto): Promise<void> {
    await this.run(`test ${id}`, $localize`Could not test ${name}:name:.`, async () => {
      const firing = await this.api.send('POST /api/alerts/{id}/test', { id });
      if (firing.webhook.state === 'failed') {
        this.toaster.failed($localize`The webhook of ${name}:name: failed.`, firing.webhook.error ?? '');
      } else {
        this.toaster.done($localize`Tested ${name}:name:.`, deliveryLabel(firing) || $localize`No webhook.`);
      }
    });
  }

  protected async remove({ id, name }: AlertDto): Promise<void> {
    const sure = await this.confirm.ask({
      title: $localize`Delete alert ${name}:name:?`,
      text: [$localize`The alert history is deleted, and pending webhook requests are canceled.`],
      action: $localize`Delete`,
      danger: true,
    });
    if (!sure) return;
    await this.run(`delete ${id}`, $localize`Could not delete ${name}:name:.`, async () => {
      await this.api.send('DELETE /api/alerts/{id}', { id }).catch(ignore('alert_not_found'));
      this.alerts.update((rows) => rows.filter((row) => row.id !== id));
      this.toaster.done($localize`Deleted ${name}:name:.`);
      catchLostFocus();
    });
  }

  private inOrder(alerts: readonly AlertDto[]): AlertDto[] {
    const leading = (this.leading ??= new Set(
      alerts.filter(({ state }) => state === 'firing').map(({ id }) => id),
    ));
    return [...alerts].sort((one, other) => Number(leading.has(other.id)) - Number(leading.has(one.id)));
  }

  private refresh(): void {
    // The firings of an alert that is being deleted cannot be loaded.
    if (untracked(this.busy).startsWith('delete ')) return;
    this.fired.update((count) => count + 1);
    this.alerts.reload();
  }

  private async run(what: string, failure: string, work: () => Promise<unknown>): Promise<boolean> {
    this.busy.set(what);
    try {
      return await this.toaster.attempt(failure, work);
    } finally {
      this.busy.set('');
      this.refresh();
    }
  }
}
