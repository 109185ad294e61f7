import { Component, computed, effect, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import type { DiagnosticsDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import { formatElapsed } from '../../shared/format/format';
import { engineIcon } from '../../shared/ui/icon';
import { ApiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { INSTALL_STEPS, orderChecks, readPlatform, verdictOf } from './diagnosis';
import { FixLine } from './fix-line';
import { SupportBundle } from './support-bundle';

/** Interval of automatic checks while something is wrong, so that a fix shows without a click. */
const RECHECK_MS = 4000;

@Component({
  selector: 'sw-diagnostics-page',
  imports: [FixLine, RouterLink, SupportBundle, UI],
  templateUrl: './diagnostics-page.html',
  styleUrl: './diagnostics-page.scss',
})
export class DiagnosticsPage {
  private readonly api = inject(Api);
  protected readonly report = new ApiResource(
    async (_, signal) => {
      const [found, versions, health] = await Promise.all([
        this.api.get('/api/v1/diagnostics', {}, signal),
        this.api.get('/api/v1/versions', {}, signal),
        this.api.get('/api/v1/health', {}, signal),
      ]);
      return { found, versions, health, at: new Date(this.clock.read()).toISOString() };
    },
    undefined,
    { refresh: { everyMs: RECHECK_MS, when: () => this.isFailing() } },
  );
  protected readonly checked = this.report.value;
  protected readonly problem = this.report.problem;
  /** Only a check started by the user is shown as busy. */
  private readonly asked = signal(false);
  protected readonly checking = computed(() => this.asked() && this.report.isLoading());
  private readonly found = computed(() => this.checked()?.found);
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
    effect(() => {
      if (!this.report.isLoading()) this.asked.set(false);
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

  private isFailing(): boolean {
    return this.problem() !== null || this.verdict()?.level !== 'ok';
  }

  protected checkNow(): void {
    this.report.reload();
    this.asked.set(true);
  }
}
