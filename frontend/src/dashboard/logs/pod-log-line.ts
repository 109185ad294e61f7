import { Component, computed, input, output, signal } from '@angular/core';
import { fieldsOf } from '../../../../backend/src/core/lines/index.js';
import { plainText } from '../../shared/lines/ansi';
import { rawLine } from '../../shared/format/raw-text';
import type { LineMarks } from '../../shared/lines/hits';
import { fullTime } from '../../shared/lines/line-time';
import type { LinePlace, LogLine } from '../../shared/lines/log-line';
import { apiResource } from '../../shared/loading/api-resource';
import { WholeLine } from '../../shared/lines/whole-line';
import { LineFields } from '../../shared/search/line-fields';
import type { LogQuery } from '../../shared/search/log-query';
import { UI } from '../../shared/ui/ui';
import type { FullText } from './long-lines';
import { formatCount } from '../../shared/format/format';

@Component({
  selector: 'sw-pod-log-line',
  imports: [LineFields, UI, WholeLine],
  template: `
    <header class="flow tight">
      <h3 i18n class="sm">Line</h3>
      <time class="muted">{{ time() }}</time>
      @if (line().level; as level) {
        <span class="muted">{{ level }}</span>
      }
      <span class="inline end">
        <sw-copy-button [text]="copied()" name="Copy line" i18n-name />
        <sw-close-button label="Close line" i18n-label (closed)="closed.emit()" />
      </span>
    </header>
    <sw-whole-line [text]="text()" [hits]="hits()" [(raw)]="raw" />
    @if (missing(); as text) {
      <p class="muted">{{ text }}</p>
    }
    <sw-line-fields
      [fields]="fields().pairs"
      [format]="fields().format"
      [query]="query()"
      (changed)="changed.emit($event)"
    />
  `,
  styles: `
    :host {
      flex: none;
      max-height: 55%;
      overflow: auto;
    }
  `,
  host: { class: 'stack pad tight line-above surface xs' },
})
export class PodLogLine {
  readonly line = input.required<LogLine>();
  /** Null if it is no longer in memory. */
  readonly whole = input.required<FullText | null>();
  /** Where the store has it; null if it does not. */
  readonly stored = input<LinePlace | null>(null);
  readonly isUtc = input(false);
  readonly query = input.required<LogQuery>();
  readonly marks = input<LineMarks | null>(null);
  readonly changed = output<LogQuery>();
  readonly closed = output();
  protected readonly raw = signal(false);
  private readonly detail = apiResource('/api/sources/{id}/lines/{seq}', () => {
    const { source: id, seq } = this.stored() ?? {};
    return id === undefined || seq === undefined ? undefined : { id, seq };
  });
  private readonly full = computed(() => this.whole() ?? this.detail.current());
  protected readonly text = computed(() => this.full()?.text ?? this.line().text);
  protected readonly fields = computed(() => fieldsOf(this.text()));
  /** The full line, which may have more matches than the row. */
  private readonly marked = computed(() => ({ ...this.line(), text: plainText(this.text()) }));
  protected readonly hits = computed(() => this.marks()?.hits(this.marked(), this.marked().text) ?? []);
  protected readonly copied = computed(() => (this.raw() ? rawLine(this.text()) : plainText(this.text())));
  protected readonly time = computed(() => fullTime(this.line().time, this.isUtc()));
  protected readonly missing = computed(() => {
    const whole = this.full();
    if (!whole && this.stored()) {
      return this.detail.problem()?.message ?? $localize`Loading the full line …`;
    }
    if (!whole) return $localize`Only the beginning is in memory. The log board has the full line.`;
    return whole.cut > 0 ? $localize`${formatCount(whole.cut)}:bytes: more bytes were cut off.` : null;
  });
}
