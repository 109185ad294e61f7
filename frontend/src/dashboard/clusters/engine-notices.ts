import { Component, computed, effect, inject, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterDto, DiagnosticsDto, RuntimeStatsDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { ClustersStore } from '../../shared/live/clusters-store';
import { StatsStore } from '../../shared/live/stats-store';
import { CopyButton } from '../../shared/ui/copy-button';
import { Notice } from '../../shared/ui/notice';
import { MachineState } from './machine-state';

export interface EngineNotice {
  key: string;
  tone: 'warning' | 'failed';
  title: string;
  text: string;
  fix: string | null;
}

/** What is missing on this machine, with the command that brings it. One engine's failure leaves the other's rows alone. */
@Component({
  selector: 'sw-engine-notices',
  imports: [CopyButton, Notice, RouterLink],
  template: `
    @for (notice of notices(); track notice.key) {
      <sw-notice [tone]="notice.tone" icon="warning">
        <b>{{ notice.title }}</b> {{ notice.text }}
        @if (notice.fix) {
          <code class="fix">{{ notice.fix }}</code>
          <sw-copy-button [text]="notice.fix" name="Copy what helps" />
        }
        <a action class="btn small" routerLink="/diagnostics">Diagnostics</a>
      </sw-notice>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: var(--s-2);
    }
    :host:not(:has(*)) {
      display: none;
    }
    .fix {
      padding: 1px 5px;
      border-radius: 3px;
      background: var(--surface);
      overflow-wrap: anywhere;
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
  protected readonly notices = computed(() =>
    engineNotices(this.stats.stats()?.runtimes ?? [], this.clusters.clusters(), this.machine.live.value()),
  );

  constructor() {
    this.machine.live.watch();
    // An engine that came or went changes what diagnostics say.
    const answering = computed(() =>
      (this.stats.stats()?.runtimes ?? []).map(({ id, available }) => `${id}:${available}`).join(),
    );
    effect(() => {
      if (answering() !== '') untracked(() => void this.machine.live.refresh());
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
    // An engine that was never used here is not missed, as long as another one answers.
    if (count === 0 && runtimes.some((runtime) => runtime.available)) continue;
    notices.push({
      key: `engine-${id}`,
      tone: 'warning',
      title: `${id} does not answer.`,
      text: `${reason ? `${sentence(reason)} ` : ''}${count > 0 ? `Its ${plural(count, 'cluster')} ${count === 1 ? 'is' : 'are'} shown as last seen.` : ''}`,
      fix,
    });
  }
  for (const { name, level, title, message, fix } of machine?.checks ?? []) {
    if (level === 'problem' && !name.startsWith('runtime-')) {
      notices.push({ key: name, tone: 'failed', title: `${title}:`, text: sentence(message), fix });
    }
  }
  return notices;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
