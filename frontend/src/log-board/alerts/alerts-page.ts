import { Component, computed, DOCUMENT, effect, inject, resource, signal, untracked } from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AlertDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { PageVisibility } from '../../shared/live/page-visibility';
import { Ago } from '../../shared/ui/ago';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { Toaster } from '../../shared/ui/toaster';
import { BoardConnection } from '../logs/board-connection';
import { switched, draftOfSearch } from './alert-draft';
import { AlertFirings } from './alert-firings';
import { AlertNotifications } from './alert-notifications';
import { deliveryLabel, channelsLabel, sourcesSummary, ruleSummary, spanLabel } from './alert-messages';
import { AlertsApi } from './alerts-api';
import { EditAlert } from './edit-alert';

/** A rule goes back to rest without a message. */
const LOOK_AGAIN_MS = 5000;

/** The rules over live lines: how each stands, and what can be done with it. */
@Component({
  selector: 'sw-alerts-page',
  imports: [Ago, AlertFirings, Icon, Notice, Placeholder, SkeletonRows],
  templateUrl: './alerts-page.html',
  styleUrl: './alerts-page.scss',
})
export class AlertsPage {
  private readonly api = inject(AlertsApi);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly edit = inject(EditAlert);
  private readonly router = inject(Router);
  private readonly document = inject(DOCUMENT);
  private readonly route = inject(ActivatedRoute);
  private readonly seen = inject(PageVisibility).visible;
  private readonly params = toSignal(this.route.queryParamMap, { requireSync: true });
  protected readonly notifications = inject(AlertNotifications);
  protected readonly alerts = resource({ loader: () => this.api.list() });
  /** What is shown: the newest answer, and it stays while the next one is on its way or failed. */
  protected readonly rows = signal<readonly AlertDto[] | null>(null);
  protected readonly problem = computed(() => {
    const error = this.alerts.error();
    return error ? ApiProblem.of(error) : null;
  });
  /** Whose firings are shown. */
  protected readonly opened = computed(() => Number(this.params().get('alert') ?? 0));
  /** Rises with each firing, for the list of them. */
  protected readonly fired = signal(0);
  /** What is at work: `test` or `switch` or `delete`, and the alert's id. */
  protected readonly busy = signal('');
  /** Those that fired when the page was opened stand first, and stay: nothing moves under the pointer. */
  private leading: ReadonlySet<number> | null = null;
  protected readonly ruleSummary = ruleSummary;
  protected readonly sourcesSummary = sourcesSummary;
  protected readonly channelsLabel = channelsLabel;
  protected readonly spanLabel = spanLabel;
  protected readonly plural = plural;

  constructor() {
    inject(BoardConnection).watch();
    effect(() => {
      if (this.alerts.hasValue()) this.rows.set(this.inOrder(this.alerts.value()));
    });
    effect(() => {
      this.notifications.firingNow();
      if (untracked(this.rows)) untracked(() => this.lookAgain());
    });
    this.notifications.firings.pipe(takeUntilDestroyed()).subscribe(() => this.lookAgain());
    effect((onCleanup) => {
      if (!this.seen()) return;
      if (untracked(this.rows)) untracked(() => this.lookAgain());
      const timer = setInterval(() => this.lookAgain(), LOOK_AGAIN_MS);
      onCleanup(() => clearInterval(timer));
    });
    // From a search, which becomes an alert.
    if (untracked(this.params).has('new')) void this.addFromSearch();
  }

  protected async add(): Promise<void> {
    await this.editIn(null);
  }

  protected async change(alert: AlertDto): Promise<void> {
    await this.editIn(alert);
  }

  protected toggle({ id }: AlertDto): void {
    void this.router.navigate([], {
      queryParams: { alert: this.opened() === id ? null : id },
      replaceUrl: true,
    });
  }

  protected async turn(alert: AlertDto, box: HTMLInputElement): Promise<void> {
    const enabled = box.checked;
    const done = await this.run(`switch ${alert.id}`, `${alert.name} was not changed.`, () =>
      this.api.update(alert.id, switched(alert, enabled)),
    );
    if (!done) box.checked = alert.enabled;
  }

  protected async test(alert: AlertDto): Promise<void> {
    await this.run(`test ${alert.id}`, `${alert.name} was not tried out.`, async () => {
      const firing = await this.api.test(alert.id);
      if (firing.webhook.state === 'failed') {
        this.toaster.failed(`The webhook of ${alert.name} failed.`, firing.webhook.error ?? '');
      } else {
        this.toaster.done(`${alert.name} was tried out.`, deliveryLabel(firing) || 'It has no webhook.');
      }
    });
  }

  protected async remove(alert: AlertDto): Promise<void> {
    const sure = await this.confirm.ask({
      title: `Delete the alert ${alert.name}?`,
      text: ['Its firings are deleted with it. What waits to be sent to its webhook is not sent.'],
      action: 'Delete the alert',
      danger: true,
    });
    if (!sure) return;
    await this.run(`delete ${alert.id}`, `${alert.name} was not deleted.`, async () => {
      await this.api.remove(alert.id).catch((thrown: unknown) => {
        // Deleted meanwhile, in another window.
        if (ApiProblem.of(thrown).code !== 'alert_not_found') throw thrown;
      });
      this.rows.update((rows) => rows?.filter(({ id }) => id !== alert.id) ?? null);
      this.toaster.done(`${alert.name} was deleted.`);
      catchLostFocus(this.document);
    });
  }

  private inOrder(alerts: readonly AlertDto[]): AlertDto[] {
    const leading = (this.leading ??= new Set(
      alerts.filter(({ state }) => state === 'firing').map(({ id }) => id),
    ));
    return [...alerts].sort((one, other) => Number(leading.has(other.id)) - Number(leading.has(one.id)));
  }

  private async addFromSearch(): Promise<void> {
    const search = new URLSearchParams();
    const params = untracked(this.params);
    for (const name of params.keys) for (const value of params.getAll(name)) search.append(name, value);
    await this.edit.open({ alert: null, draft: draftOfSearch(search) });
    await this.router.navigate([], { queryParams: {}, replaceUrl: true });
    this.alerts.reload();
  }

  private async editIn(alert: AlertDto | null): Promise<void> {
    if (await this.edit.open({ alert })) this.alerts.reload();
  }

  private lookAgain(): void {
    // The firings of what is being deleted are nowhere to be found a moment later.
    if (untracked(this.busy).startsWith('delete ')) return;
    this.fired.update((count) => count + 1);
    this.alerts.reload();
  }

  private async run(what: string, failure: string, work: () => Promise<unknown>): Promise<boolean> {
    this.busy.set(what);
    try {
      await work();
      return true;
    } catch (thrown) {
      this.toaster.problem(thrown, failure);
      return false;
    } finally {
      this.busy.set('');
      this.lookAgain();
    }
  }
}
