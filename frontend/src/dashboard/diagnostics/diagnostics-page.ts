import { Component, computed, DestroyRef, effect, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { DiagnosticsDto, HealthDto, VersionsDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/live/clock';
import { PageVisibility } from '../../shared/live/page-visibility';
import { formatElapsed } from '../../shared/format/format';
import { Ago } from '../../shared/ui/ago';
import { engineIcon, Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { State } from '../../shared/ui/state';
import { installSteps, orderChecks, readPlatform, verdictOf } from './diagnosis';
import { FixLine } from './fix-line';
import { SupportBundle } from './support-bundle';

/** While something is wrong the page looks again by itself, so that a fix shows without a click. */
const LOOK_AGAIN_MS = 4000;

/** Whether this machine can make clusters, and what to do where it cannot. */
@Component({
  selector: 'sw-diagnostics-page',
  imports: [Ago, FixLine, Icon, Notice, Placeholder, RouterLink, SkeletonRows, State, SupportBundle],
  templateUrl: './diagnostics-page.html',
  styleUrl: './diagnostics-page.scss',
})
export class DiagnosticsPage {
  private readonly api = inject(Api);
  protected readonly found = signal<DiagnosticsDto | undefined>(undefined);
  protected readonly versions = signal<VersionsDto | undefined>(undefined);
  protected readonly health = signal<HealthDto | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly looking = signal(false);
  protected readonly lookedAt = signal<string | null>(null);
  protected readonly verdict = computed(() => {
    const found = this.found();
    return found ? verdictOf(found) : null;
  });
  protected readonly checks = computed(() => orderChecks(this.found()?.checks ?? []));
  protected readonly wanting = computed(() => {
    const found = this.found();
    return found !== undefined && !found.runtimes.some(({ id, available }) => available && id !== 'demo');
  });
  protected readonly install = installSteps(readPlatform(navigator.userAgent));
  protected readonly engineIcon = engineIcon;
  private readonly clock = inject(Clock);

  constructor() {
    const { visible } = inject(PageVisibility);
    const again = setInterval(() => {
      if (visible() && (this.problem() !== null || this.verdict()?.level !== 'ok')) void this.look();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(again));
    effect(() => {
      if (visible()) void this.look();
    });
  }

  /** For how long an engine has answered, or has not. */
  protected since(time: string): string {
    return formatElapsed(this.clock.now() - Date.parse(time));
  }

  protected capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  protected async look(): Promise<void> {
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
      this.lookedAt.set(new Date().toISOString());
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
    }
    this.busy = false;
  }

  /** What a click starts is shown; what the page does by itself is not. */
  protected async lookNow(): Promise<void> {
    this.looking.set(true);
    await this.look();
    this.looking.set(false);
  }

  private busy = false;
}
