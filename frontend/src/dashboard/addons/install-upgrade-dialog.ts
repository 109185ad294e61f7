import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { form, FormField } from '@angular/forms/signals';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AddonDiffDto, AddonOperationDto, ConfigProblemDto } from '../../shared/api/api-types';
import { ApiResource } from '../../shared/loading/api-resource';
import { Confirm } from '../../shared/ui/confirm';
import { UI } from '../../shared/ui/ui';
import { isKiali, KIALI_NOTICE } from '../addon-model/addon-labels';
import { type ChartChoice, type ReleaseName, releaseParams } from '../addon-model/release-name';
import { ConfigEditor } from '../editor/config-editor';
import { DiffDetails } from '../editor/diff-details';
import { formatList, objectCount } from '../../shared/format/format';

export interface AddonChange {
  key: ClusterKey;
  title: string;
  /** Null keeps the release's own chart. */
  chart: ChartChoice | null;
  /** Selected at first. Null selects the newest of the repository of the release, once it is read. */
  version?: string | null;
  /** Titles of the addons that are installed first. */
  needs?: readonly string[];
  /** The release to upgrade and its current values. Without it, a new release is installed. */
  upgrades?: ReleaseName & { values: string; chart: string; version: string; source: string | null };
}

type ReleaseSource = Record<'source' | 'chart' | 'version', string>;

/** Of a preview that shows the diff of each object at once. */
const FEW_CHANGES = 3;

const COUNT_LABELS = {
  added: (count: number): string => $localize`${count}:count: added`,
  changed: (count: number): string => $localize`${count}:count: changed`,
  removed: (count: number): string => $localize`${count}:count: removed`,
};

/** Form to install or upgrade an addon, with a preview of the changes. A failed request keeps the input. */
@Component({
  selector: 'sw-install-upgrade-dialog',
  imports: [ConfigEditor, DiffDetails, FormField, UI],
  templateUrl: './install-upgrade-dialog.html',
  styleUrl: './install-upgrade-dialog.scss',
  host: { '(keydown.escape)': 'escape($event)' },
})
export class InstallUpgradeDialog {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly dialog = inject<DialogRef<AddonOperationDto>>(DialogRef);
  protected readonly options = inject<AddonChange>(DIALOG_DATA);
  private readonly editor = viewChild(ConfigEditor);

  private initialValues = this.options.upgrades?.values ?? '';
  protected readonly form = form(
    signal({
      release: '',
      namespace: '',
      version: (this.options.chart ? null : this.options.version) ?? this.options.upgrades?.version ?? '',
      values: this.initialValues,
    }),
  );
  protected readonly chart = new ApiResource(
    async (choice: ChartChoice, signal) => {
      const chart = await this.api.get(
        '/api/v1/clusters/{name}/addons/charts',
        { ...this.options.key, ...choice },
        signal,
      );
      const { release, namespace } = chart;
      this.initialValues = this.options.upgrades?.values ?? chart.values;
      this.form().value.update((input) => ({ ...input, release, namespace, values: this.initialValues }));
      return chart;
    },
    () => this.options.chart ?? undefined,
  );
  /** Versions to upgrade to, including the current one, if the chart came from a repository or was uploaded. */
  protected readonly versions = new ApiResource(
    async ({ source, chart, version }: ReleaseSource, signal) => {
      const { charts } = await this.api.get(
        '/api/v1/clusters/{name}/addons/repositories/{repository}',
        { ...this.options.key, repository: source, search: chart.trim() || undefined },
        signal,
      );
      const offered = charts.find((each) => each.chart === chart)?.versions ?? [];
      // Newest first. The choice of the user, or of who opened the dialog, stays.
      const [newest] = this.options.version === null && source !== 'uploaded' ? offered : [];
      if (newest && this.form.version().value() === version) this.form.version().value.set(newest.version);
      return [...new Set([...offered.map((each) => each.version), version])];
    },
    () => this.ownSource(),
  );
  protected readonly busy = signal<'check' | 'run' | null>(null);
  protected readonly problem = signal<string | null>(null);
  protected readonly problems = signal<readonly ConfigProblemDto[]>([]);
  private readonly preview = signal<{ input: string; diff: AddonDiffDto } | null>(null);
  private readonly input = computed(() => JSON.stringify(this.form().value()));
  /** The preview while it matches the input. */
  protected readonly diff = computed(() => {
    const preview = this.preview();
    return preview?.input === this.input() ? preview.diff : undefined;
  });
  protected readonly summary = computed(() => {
    const diff = this.diff();
    if (!diff) return '';
    const { changes, unchanged } = diff;
    const counts = (['added', 'changed', 'removed'] as const).flatMap((change) => {
      const count = changes.filter((each) => each.change === change).length;
      return count > 0 ? COUNT_LABELS[change](count) : [];
    });
    const objects = objectCount(changes.length + unchanged);
    return `${objects}: ${[...counts, $localize`${unchanged}:count: unchanged`].join(', ')}`;
  });
  protected readonly warnings = computed(() => {
    const notes = this.chart.value()?.notes ?? [];
    return (this.diff()?.warnings ?? []).filter((warning) => !notes.includes(warning));
  });
  protected readonly ready = computed(() => this.options.chart === null || this.chart.value() !== null);
  protected readonly verb = this.options.upgrades ? $localize`Upgrade` : $localize`Install`;
  protected readonly kiali = computed(() => {
    const chart = this.chart.value()?.chart ?? this.options.upgrades?.chart ?? '';
    return isKiali({ chart, addon: this.options.chart?.addon ?? null });
  });
  protected readonly fewChanges = FEW_CHANGES;
  protected readonly needs = formatList(this.options.needs ?? []);
  protected readonly kialiNotice = KIALI_NOTICE;

  protected versionLabel(version: string): string {
    const isCurrent = version === this.options.upgrades?.version;
    return isCurrent ? $localize`${version}:version: (current)` : version;
  }

  /** The editor uses Esc itself: the next Tab then leaves it. */
  protected escape({ target }: Event): void {
    if (!(target as Element).closest('.cm-editor')) void this.close();
  }

  protected async close(): Promise<void> {
    if (this.busy() === 'run') return;
    const mayClose =
      this.form.values().value() === this.initialValues ||
      (await this.confirm.ask({
        title: $localize`Discard your values?`,
        text: [$localize`They are not saved.`],
        action: $localize`Discard`,
        danger: true,
      }));
    if (mayClose) this.dialog.close();
  }

  protected async send(action: 'check' | 'run'): Promise<void> {
    if (!this.ready() || this.busy() !== null) return;
    const input = this.input();
    this.busy.set(action);
    this.problem.set(null);
    this.problems.set([]);
    try {
      const operation = await this.request(action === 'check');
      if (operation.difference) this.preview.set({ input, diff: operation.difference });
      if (action === 'run') this.dialog.close(operation);
    } catch (thrown) {
      this.showProblem(ApiProblem.of(thrown));
    } finally {
      this.busy.set(null);
    }
  }

  private request(dryRun: boolean): Promise<AddonOperationDto> {
    const { key, chart, upgrades } = this.options;
    const { values, version, ...names } = this.form().value();
    const request = { ...(chart ?? {}), values, dry_run: dryRun };
    if (upgrades) {
      return this.api.send(
        'PUT /api/v1/clusters/{name}/addons/releases/{release}',
        releaseParams(key, upgrades),
        {
          ...(version === upgrades.version ? {} : { version }),
          ...request,
        },
      );
    }
    const [release, namespace] = [names.release.trim(), names.namespace.trim()];
    return this.api.send('POST /api/v1/clusters/{name}/addons', key, {
      ...request,
      ...(release === '' ? {} : { release }),
      ...(namespace === '' ? {} : { namespace }),
    });
  }

  private ownSource(): ReleaseSource | undefined {
    const { chart, upgrades } = this.options;
    if (chart !== null || !upgrades || upgrades.source === null || upgrades.source === 'catalogue') {
      return undefined;
    }
    return { source: upgrades.source, chart: upgrades.chart, version: upgrades.version };
  }

  private showProblem({ message, code, details }: ApiProblem): void {
    this.problem.set(message);
    if (code !== 'values_refused' || !Array.isArray(details)) return;
    const problems = (
      details as (Omit<ConfigProblemDto, 'line' | 'column'> & Partial<ConfigProblemDto>)[]
    ).map((problem) => ({ ...problem, line: problem.line ?? 1, column: problem.column ?? 1 }));
    this.problems.set(problems);
    const [first] = problems;
    if (first) this.editor()?.goTo(first);
  }
}
