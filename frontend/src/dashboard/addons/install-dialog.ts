import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, resource, signal, viewChild } from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AddonDiffDto, AddonOperationDto, ConfigProblemDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { ConfigDifference } from '../config/config-difference';
import { ConfigEditor } from '../config/config-editor';
import { isKiali, KIALI_IS_OPEN } from './addon-words';
import { AddonsApi } from './addons-api';
import type { InstallWish } from './install-addon';

/** Which chart, where to, with which values; what it would change; then the job. Nothing typed is lost by a refusal. */
@Component({
  selector: 'sw-install-dialog',
  imports: [ConfigDifference, ConfigEditor, Icon, Notice, SkeletonRows],
  templateUrl: './install-dialog.html',
  styleUrl: './install-dialog.scss',
  host: { '(keydown.escape)': 'escape($event)' },
})
export class InstallDialog {
  private readonly api = inject(AddonsApi);
  private readonly confirm = inject(Confirm);
  private readonly dialog = inject<DialogRef<AddonOperationDto>>(DialogRef);
  protected readonly wish = inject<InstallWish>(DIALOG_DATA);
  private readonly editor = viewChild(ConfigEditor);

  protected readonly chart = resource({
    params: () => this.wish.chart ?? undefined,
    loader: async ({ params }) => {
      const chart = await this.api.chart(this.wish.key, params);
      this.release.set(chart.release);
      this.namespace.set(chart.namespace);
      this.begun = this.wish.upgrades?.values ?? chart.values;
      this.values.set(this.begun);
      return chart;
    },
  });
  /** Those that it can be upgraded to, its own among them, where it came from a repository or was uploaded. */
  protected readonly versions = resource({
    params: () => this.ownSource() ?? undefined,
    loader: async ({ params: { source, chart, version } }) => {
      const { charts } = await this.api.charts(this.wish.key, source, chart);
      const offered = charts.find((each) => each.chart === chart)?.versions ?? [];
      return [...new Set([...offered.map((each) => each.version), version])];
    },
  });
  protected readonly chartProblem = computed(() => {
    const error = this.chart.error();
    return error ? ApiProblem.of(error).message : null;
  });
  protected readonly values = signal(this.wish.upgrades?.values ?? '');
  protected readonly version = signal(this.wish.upgrades?.version ?? '');
  protected readonly release = signal('');
  protected readonly namespace = signal('');
  /** What the form began with. */
  private begun = this.wish.upgrades?.values ?? '';
  protected readonly busy = signal<'check' | 'run' | null>(null);
  protected readonly problem = signal<string | null>(null);
  protected readonly problems = signal<readonly ConfigProblemDto[]>([]);
  private readonly last = signal<{ of: string; difference: AddonDiffDto } | null>(null);
  private readonly asked = computed(() =>
    JSON.stringify([this.values(), this.version(), this.release().trim(), this.namespace().trim()]),
  );
  /** The answer, as long as it is about what stands in the form. */
  protected readonly difference = computed(() =>
    this.last()?.of === this.asked() ? this.last()?.difference : undefined,
  );
  protected readonly summary = computed(() => {
    const difference = this.difference();
    if (!difference) return '';
    const { changes, unchanged } = difference;
    const count = (change: string): number => changes.filter((each) => each.change === change).length;
    const parts = (['added', 'changed', 'removed'] as const)
      .filter((change) => count(change) > 0)
      .map((change) => `${count(change)} ${change}`);
    return `${plural(changes.length + unchanged, 'object')}: ${[...parts, `${unchanged} unchanged`].join(', ')}`;
  });
  /** Less those that stand above as notes of the chart. */
  protected readonly warnings = computed(() => {
    const notes = this.chart.hasValue() ? this.chart.value().notes : [];
    return (this.difference()?.warnings ?? []).filter((warning) => !notes.includes(warning));
  });
  protected readonly ready = computed(() => this.wish.chart === null || this.chart.hasValue());
  protected readonly verb = this.wish.upgrades ? 'Upgrade' : 'Install';
  protected readonly kiali = computed(() => {
    const chart = this.chart.hasValue() ? this.chart.value().chart : (this.wish.upgrades?.chart ?? '');
    return isKiali({ chart, addon: this.wish.chart?.addon ?? null });
  });
  protected readonly openKiali = KIALI_IS_OPEN;

  protected tryAgain(): void {
    this.chart.reload();
  }

  protected check(): void {
    void this.send(true);
  }

  protected run(): void {
    void this.send(false);
  }

  /** In the editor, Esc is its own: Tab leads out after it. */
  protected escape({ target }: Event): void {
    if (!(target as Element).closest('.cm-editor')) void this.close();
  }

  protected async close(): Promise<void> {
    if (this.busy() === 'run') return;
    const sure =
      this.values() === this.begun ||
      (await this.confirm.ask({
        title: 'Leave what you have typed?',
        text: ['The values are kept nowhere else.'],
        action: 'Leave it',
        keep: 'Go on',
        danger: true,
      }));
    if (sure) this.dialog.close();
  }

  private async send(dryRun: boolean): Promise<void> {
    if (!this.ready() || this.busy() !== null) return;
    const asked = this.asked();
    this.busy.set(dryRun ? 'check' : 'run');
    this.problem.set(null);
    this.problems.set([]);
    try {
      const operation = await this.ask(dryRun);
      if (operation.difference) this.last.set({ of: asked, difference: operation.difference });
      if (!dryRun) this.dialog.close(operation);
    } catch (thrown) {
      this.explain(ApiProblem.of(thrown));
    } finally {
      this.busy.set(null);
    }
  }

  private ask(dryRun: boolean): Promise<AddonOperationDto> {
    const { key, chart, upgrades } = this.wish;
    const request = { ...(chart ?? {}), values: this.values(), dry_run: dryRun };
    if (upgrades) {
      const version = this.version() === upgrades.version ? {} : { version: this.version() };
      return this.api.upgrade(key, upgrades, { ...version, ...request });
    }
    const [release, namespace] = [this.release().trim(), this.namespace().trim()];
    return this.api.install(key, {
      ...request,
      ...(release === '' ? {} : { release }),
      ...(namespace === '' ? {} : { namespace }),
    });
  }

  private ownSource(): { source: string; chart: string; version: string } | null {
    const { chart, upgrades } = this.wish;
    if (chart !== null || !upgrades || upgrades.source === null || upgrades.source === 'catalogue') {
      return null;
    }
    return { source: upgrades.source, chart: upgrades.chart, version: upgrades.version };
  }

  private explain(problem: ApiProblem): void {
    this.problem.set(problem.message);
    if (problem.code !== 'values_refused' || !Array.isArray(problem.details)) return;
    const details = problem.details as {
      line: number | null;
      column: number | null;
      path: string;
      problem: string;
    }[];
    const placed = details.map(({ line, column, ...rest }) => ({
      ...rest,
      line: line ?? 1,
      column: column ?? 1,
    }));
    this.problems.set(placed);
    const [first] = placed;
    if (first) this.editor()?.goTo(first);
  }
}
