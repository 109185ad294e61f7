import { Component, computed, input, output, signal } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { plainText } from '../../../shared/lines/ansi';
import { rawLine } from '../../../shared/format/raw-text';
import type { LineMarks } from '../../../shared/lines/hits';
import { fullTime } from '../../../shared/lines/line-time';
import { type LogLine, rfc3339 } from '../../../shared/lines/log-line';
import { WholeLine } from '../../../shared/lines/whole-line';
import { apiResource } from '../../../shared/loading/api-resource';
import { UI } from '../../../shared/ui/ui';
import { FieldValues } from '../../../shared/groups/field-values';
import { GroupActions } from '../../../shared/search/group-actions';
import { LineFields } from '../../../shared/search/line-fields';
import {
  type FieldValue,
  isSearch,
  LEVEL_CHOICES,
  type LevelChoice,
  type LogQuery,
  type SearchScope,
} from '../../../shared/search/log-query';
import { clusterAddress, ownAddress, workloadAddress } from '../../search-model/dashboard-address';
import { formatCount } from '../../../shared/format/format';

/** Interval at which the cause is read again. */
const CAUSE_MS = 5000;

@Component({
  selector: 'sw-line-details',
  imports: [UI, FieldValues, GroupActions, LineFields, WholeLine],
  templateUrl: './line-details.html',
  styleUrls: ['../../../shared/search/line-fields.scss', './line-details.scss'],
  host: { class: 'flex-column surface' },
})
export class LineDetails {
  readonly line = input.required<LogLine>();
  readonly source = input.required<LogSourceDto | undefined>();
  readonly query = input.required<LogQuery>();
  readonly marks = input<LineMarks | null>(null);
  readonly isUtc = input(false);
  /** Sources of the current search. */
  readonly scope = input<SearchScope>(null);
  readonly link = input.required<string>();
  readonly changed = output<LogQuery>();
  readonly alone = output<LogSourceDto>();
  readonly around = output<LogLine>();
  readonly closed = output();

  protected readonly detail = apiResource('/api/sources/{id}/lines/{seq}', () => ({
    id: this.line().source,
    seq: this.line().seq,
  }));
  protected readonly problem = computed(() => this.detail.problem()?.message ?? null);
  private readonly whole = this.detail.current;
  /** The text of the row until the full text is loaded. */
  protected readonly text = computed(() => this.whole()?.text ?? this.line().text);
  /** The full line, which may have more matches than the row. */
  private readonly marked = computed<LogLine | null>(() => {
    const whole = this.whole();
    return whole ? { ...this.line(), text: plainText(whole.text) } : null;
  });
  protected readonly hits = computed(() => {
    const line = this.marked();
    return (line && this.marks()?.hits(line, line.text)) ?? [];
  });
  protected readonly none = $localize`none`;
  protected readonly opensDashboard = $localize`Opens the dashboard in a new window`;
  protected readonly onlyLabel = $localize`Only lines of this level`;
  protected readonly withoutLabel = $localize`Without lines of this level`;
  protected readonly raw = signal(false);
  protected readonly copied = computed(() => (this.raw() ? rawLine(this.text()) : plainText(this.text())));
  protected readonly cut = computed(() => this.whole()?.cut ?? 0);
  /** Without a search, the lines around it are there. */
  protected readonly isSearch = isSearch;
  protected readonly formatCount = formatCount;
  protected readonly format = computed(() => this.whole()?.format ?? null);
  protected readonly fields = computed<readonly FieldValue[]>(() => this.whole()?.pairs ?? []);
  protected readonly time = computed(() => fullTime(this.line().time, this.isUtc()));
  protected readonly ago = computed(() => rfc3339(this.line().time));
  protected readonly belongs = computed(() => {
    const source = this.source();
    if (!source) return [];
    const rows: { name: string; value: string | null; page?: string | null }[] = [
      { name: $localize`Engine`, value: source.runtime },
      { name: $localize`Cluster`, value: source.cluster, page: clusterAddress(source) },
      { name: $localize`Namespace`, value: source.namespace },
      { name: $localize`Workload`, value: source.workload, page: workloadAddress(source) },
      { name: NAMES[source.kind], value: source.name, page: ownAddress(source) },
      { name: $localize`Container`, value: source.container },
      { name: $localize`Service`, value: source.service },
      { name: $localize`Stream`, value: this.line().stream },
    ];
    return rows.filter(({ value }) => value !== null);
  });
  /** Of a source in a cluster that is not deleted. */
  private readonly asked = apiResource(
    '/api/sources/{id}/cause',
    () => {
      const source = this.source();
      return source && source.cluster !== null && source.state !== 'gone' ? { id: source.id } : undefined;
    },
    { refresh: { everyMs: CAUSE_MS } },
  );
  protected readonly cause = computed(() => this.asked.current()?.cause ?? null);
  protected readonly causePage = computed(() => {
    const source = this.source();
    const page = source && (ownAddress(source) ?? workloadAddress(source));
    return page ?? null;
  });
  protected readonly level = computed<LevelChoice>(() => this.line().level ?? 'none');
  protected readonly fullLink = (): Promise<string> =>
    Promise.resolve(new URL(this.link(), location.href).href);

  protected otherLevels(): LevelChoice[] {
    const { levels } = this.query();
    const shown = levels.length === 0 ? LEVEL_CHOICES : levels;
    return shown.filter((level) => level !== this.level());
  }
}

const NAMES = { container: $localize`Container`, pod: $localize`Pod`, node: $localize`Node` } as const;
