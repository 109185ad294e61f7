import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, inject, input, output, resource, signal } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { ApiProblem } from '../../../shared/api/api-problem';
import { Ago } from '../../../shared/ui/ago';
import { CopyButton } from '../../../shared/ui/copy-button';
import { Icon } from '../../../shared/ui/icon';
import { plainText, rawText, signedText } from '../../../shared/lines/ansi';
import type { LineMarks } from '../../../shared/lines/hits';
import { fullTime } from '../../../shared/lines/line-time';
import { type LogLine, rfc3339 } from '../../../shared/lines/log-line';
import { WholeLine } from '../../../shared/lines/whole-line';
import { LinesApi } from '../lines/lines-api';
import {
  type FieldValue,
  isAskable,
  type LevelChoice,
  LEVEL_CHOICES,
  type LogQuery,
  withField,
  withoutField,
} from '../query/log-query';

/** All of one line: its source, its fields, its whole text. */
@Component({
  selector: 'sw-line-details',
  imports: [Ago, CopyButton, Icon, NgTemplateOutlet, WholeLine],
  templateUrl: './line-details.html',
  styleUrl: './line-details.scss',
})
export class LineDetails {
  private readonly api = inject(LinesApi);
  readonly line = input.required<LogLine>();
  readonly source = input.required<LogSourceDto | undefined>();
  readonly query = input.required<LogQuery>();
  /** What a search marks. */
  readonly marks = input<LineMarks | null>(null);
  readonly isUtc = input(false);
  /** The address that leads here again. */
  readonly link = input.required<string>();
  readonly changed = output<LogQuery>();
  /** Only this source. */
  readonly alone = output<LogSourceDto>();
  readonly around = output<LogLine>();
  readonly closed = output();

  protected readonly detail = resource({
    params: () => ({ source: this.line().source, seq: this.line().seq }),
    loader: ({ params }) => this.api.line(params.source, params.seq),
  });
  protected readonly problem = computed(() => {
    const error = this.detail.error();
    return error ? ApiProblem.of(error.cause ?? error).message : null;
  });
  private readonly whole = computed(() => (this.detail.hasValue() ? this.detail.value() : undefined));
  /** What came with the row, until all of it is here. */
  protected readonly text = computed(() => this.whole()?.text ?? this.line().text);
  /** All of it, in which there may be more than in what the row held. */
  private readonly marked = computed<LogLine | null>(() => {
    const whole = this.whole();
    return whole ? { ...this.line(), text: plainText(whole.text) } : null;
  });
  protected readonly hits = computed(() => {
    const line = this.marked();
    return (line && this.marks()?.hits(line, line.text)) ?? [];
  });
  protected readonly raw = signal(false);
  /** What is shown, but for the signs in a text that is not raw. */
  protected readonly copied = computed(() => (this.raw() ? rawText(this.text()) : plainText(this.text())));
  protected readonly cut = computed(() => this.whole()?.cut ?? 0);
  protected readonly format = computed(() => (this.whole()?.format === 'json' ? 'JSON' : 'logfmt'));
  protected readonly fields = computed<FieldValue[]>(() =>
    Object.entries(this.whole()?.fields ?? {}).map(([name, value]) => ({ name, value })),
  );
  protected readonly isAskable = isAskable;
  protected readonly signed = signedText;
  protected readonly time = computed(() => fullTime(this.line().time, this.isUtc()));
  protected readonly ago = computed(() => rfc3339(this.line().time));
  protected readonly belongs = computed(() => {
    const source = this.source();
    if (!source) return [];
    const rows: [string, string | null][] = [
      ['Engine', source.runtime],
      ['Cluster', source.cluster],
      ['Namespace', source.namespace],
      ['Workload', source.workload],
      [NAMES[source.kind], source.name],
      ['Container', source.container],
      ['Service', source.service],
      ['Stream', this.line().stream],
    ];
    return rows.filter((row): row is [string, string] => row[1] !== null);
  });
  protected readonly level = computed<LevelChoice>(() => this.line().level ?? 'none');
  protected readonly fullLink = (): Promise<string> =>
    Promise.resolve(new URL(this.link(), location.href).href);

  /** @param field null for the level of the line */
  protected only(field: FieldValue | null): void {
    const query = this.query();
    this.changed.emit(field ? withField(query, field) : { ...query, levels: [this.level()] });
  }

  protected without(field: FieldValue | null): void {
    const query = this.query();
    this.changed.emit(field ? withoutField(query, field) : { ...query, levels: this.otherLevels() });
  }

  private otherLevels(): LevelChoice[] {
    const { levels } = this.query();
    const shown = levels.length === 0 ? LEVEL_CHOICES : levels;
    return shown.filter((level) => level !== this.level());
  }
}

const NAMES = { container: 'Container', pod: 'Pod', node: 'Node' } as const;
