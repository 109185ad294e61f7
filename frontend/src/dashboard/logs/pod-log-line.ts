import { Component, computed, input, output, signal } from '@angular/core';
import { plainText, rawText } from '../../shared/lines/ansi';
import { fullTime } from '../../shared/lines/line-time';
import type { LogLine } from '../../shared/lines/log-line';
import { WholeLine } from '../../shared/lines/whole-line';
import { UI } from '../../shared/ui/ui';
import type { FullText } from './long-lines';
import { formatCount } from '../../shared/format/format';

@Component({
  selector: 'sw-pod-log-line',
  imports: [UI, WholeLine],
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
    <sw-whole-line [text]="text()" [(raw)]="raw" />
    @if (missing(); as text) {
      <p class="muted">{{ text }}</p>
    }
  `,
  styles: `
    :host {
      flex: none;
    }
  `,
  host: { class: 'stack pad tight line-above surface xs' },
})
export class PodLogLine {
  readonly line = input.required<LogLine>();
  /** Null if it is no longer in memory. */
  readonly whole = input.required<FullText | null>();
  readonly isUtc = input(false);
  readonly closed = output();
  protected readonly raw = signal(false);
  protected readonly text = computed(() => this.whole()?.text ?? this.line().text);
  protected readonly copied = computed(() => (this.raw() ? rawText(this.text()) : plainText(this.text())));
  protected readonly time = computed(() => fullTime(this.line().time, this.isUtc()));
  protected readonly missing = computed(() => {
    const whole = this.whole();
    if (!whole) return $localize`Only the beginning is in memory. The log board has the full line.`;
    return whole.cut > 0 ? $localize`${formatCount(whole.cut)}:bytes: more bytes were cut off.` : null;
  });
}
