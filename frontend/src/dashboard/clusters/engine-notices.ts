import { Component, computed, effect, inject, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterDto, DiagnosticsDto, RuntimeStatsDto } from '../../shared/api/api-types';
import { asSentence, clusterCount } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { StatsStore } from '../../shared/live/stats-store';
import { UI } from '../../shared/ui/ui';
import { MachineState } from './machine-state';

export interface EngineNotice {
  key: string;
  tone: 'warning' | 'failed';
  title: string;
  text: string;
  fix: string | null;
}

@Component({
  selector: 'sw-engine-notices',
  imports: [RouterLink, UI],
  template: `
    @for (notice of notices(); track notice.key) {
      <sw-notice [tone]="notice.tone">
        <b>{{ notice.title }}</b> {{ notice.text }}
        @if (notice.fix) {
          <code class="anywhere">{{ notice.fix }}</code>
          <sw-copy-button [text]="notice.fix" name="Copy command" i18n-name />
        }
        <a i18n action class="btn small" routerLink="/diagnostics">Diagnostics</a>
      </sw-notice>
    }
  `,
  styles: `
    :host {
      display: contents;
    }
    sw-copy-button {
      display: inline-block;
      vertical-align: middle;
    }
  `,
})
export class EngineNotices {
  private readonly clusters = inject(ClustersStore);
  private readonly machine = inject(MachineState);
  private readonly stats = inject(StatsStore);
  private readonly runtimes = computed(() => this.stats.stats()?.runtimes ?? []);
  protected readonly notices = computed(() =>
    engineNotices(this.runtimes(), this.clusters.clusters(), this.machine.live.value()),
  );

  constructor() {
    this.machine.live.watch();
    // An engine that became available or unavailable changes the diagnostics.
    const availability = computed(() =>
      this.runtimes()
        .map(({ id, available }) => `${id}:${available}`)
        .join(),
    );
    effect(() => {
      if (availability() !== '') untracked(() => void this.machine.live.reload());
    });
  }
}

export function engineNotices(
  runtimes: readonly RuntimeStatsDto[],
  clusters: readonly ClusterDto[],
  machine: DiagnosticsDto | undefined,
): EngineNotice[] {
  const notices: EngineNotice[] = [];
  for (const { id, available, reason, fix } of runtimes) {
    if (available) continue;
    const count = clusters.filter((cluster) => cluster.runtime === id).length;
    // An unused engine does not matter while another one is available.
    if (count === 0 && runtimes.some((runtime) => runtime.available)) continue;
    const shown = $localize`Showing the last known state of ${clusterCount(count)}:clusters:.`;
    notices.push({
      key: `engine-${id}`,
      tone: 'warning',
      title: $localize`${id}:engine: does not respond.`,
      text: [reason ? asSentence(reason) : '', count > 0 ? shown : ''].join(' ').trim(),
      fix,
    });
  }
  for (const { name, level, title, message, fix } of machine?.checks ?? []) {
    if (level === 'problem' && !name.startsWith('runtime-')) {
      notices.push({ key: name, tone: 'failed', title: `${title}:`, text: asSentence(message), fix });
    }
  }
  return notices;
}
