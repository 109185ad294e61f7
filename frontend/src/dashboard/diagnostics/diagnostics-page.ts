import { Component, computed, DestroyRef, effect, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { DiagnosticsDto, HealthDto, VersionsDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/live/clock';
import { PageVisibility } from '../../shared/live/page-visibility';
import { formatElapsed } from '../../shared/format/format';
import { engineIcon } from '../../shared/ui/icon';
import { UI } from '../../shared/ui/ui';
import { INSTALL_STEPS, orderChecks, readPlatform, verdictOf } from './diagnosis';
import { FixLine } from './fix-line';
import { SupportBundle } from './support-bundle';

/** Interval of automatic checks while something is wrong, so that a fix shows without a click. */
const RECHECK_MS = 4000;

/** Whether this machine can create clusters, and how to fix what prevents it. */
@Component({
  selector: 'sw-diagnostics-page',
  imports: [FixLine, RouterLink, SupportBundle, UI],
  templateUrl: './diagnostics-page.html',
  styleUrl: './diagnostics-page.scss',
})
export class DiagnosticsPage {
  private readonly api = inject(Api);
  protected readonly found = signal<DiagnosticsDto | undefined>(undefined);
  protected readonly versions = signal<VersionsDto | undefined>(undefined);
  protected readonly health = signal<HealthDto | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly checking = signal(false);
  protected readonly checkedAt = signal<string | null>(null);
  protected readonly verdict = computed(() => {
    const found = this.found();
    return found ? verdictOf(found) : null;
  });
  protected readonly checks = computed(() => orderChecks(this.found()?.checks ?? []));
  protected readonly needsEngine = computed(() => {
    const found = this.found();
    return found !== undefined && !found.runtimes.some(({ id, available }) => available && id !== 'demo');
  });
  protected readonly install = INSTALL_STEPS[readPlatform(navigator.userAgent)];
  protected readonly engineIcon = engineIcon;
  protected readonly notFound = $localize`Not found`;
  protected readonly none = $localize`None`;
  private readonly clock = inject(Clock);

  constructor() {
    const { visible } = inject(PageVisibility);
    const again = setInterval(() => {
      if (visible() && (this.problem() !== null || this.verdict()?.level !== 'ok')) void this.check();
    }, RECHECK_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(again));
    effect(() => {
      if (visible()) void this.check();
    });
  }

  /** How long an engine has been available or unavailable. */
  protected since(time: string): string {
    return formatElapsed(this.clock.now() - Date.parse(time));
  }

  protected attemptResult({
    reason,
    answered,
  }: DiagnosticsDto['runtimes'][number]['attempts'][number]): string {
    return reason ?? (answered ? $localize`Connected.` : $localize`No response.`);
  }

  protected capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  private async check(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const [found, versions, health] = await Promise.all([
        this.api.diagnostics(),
        this.api.versions(),
        this.api.health(),
      ]);
      this.found.set(found);
      this.versions.set(versions);
      this.health.set(health);
      this.problem.set(null);
      this.checkedAt.set(new Date().toISOString());
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
    }
    this.busy = false;
  }

  /** Only a check started by the user is shown as busy. */
  protected async checkNow(): Promise<void> {
    this.checking.set(true);
    await this.check();
    this.checking.set(false);
  }

  private busy = false;
}
