import { Component, computed, input, output, signal } from '@angular/core';
import { plainText, rawText } from '../../shared/lines/ansi';
import { fullTime } from '../../shared/lines/line-time';
import type { LogLine } from '../../shared/lines/log-line';
import { WholeLine } from '../../shared/lines/whole-line';
import { CopyButton } from '../../shared/ui/copy-button';
import { Icon } from '../../shared/ui/icon';
import type { FullText } from './long-lines';

/** All of one line of a pod's log, under its rows. */
@Component({
  selector: 'sw-pod-line',
  imports: [CopyButton, Icon, WholeLine],
  template: `
    <header>
      <h3>Line</h3>
      <time class="muted">{{ time() }}</time>
      @if (line().level; as level) {
        <span class="muted">{{ level }}</span>
      }
      <sw-copy-button [text]="copied()" name="Copy the line" />
      <button
        type="button"
        class="btn icon quiet small"
        aria-label="Close the line"
        title="Close, Esc"
        (click)="closed.emit()"
      >
        <sw-icon name="x" />
      </button>
    </header>
    <sw-whole-line [text]="text()" [(raw)]="raw" />
    @if (missing(); as words) {
      <p class="muted">{{ words }}</p>
    }
  `,
  styles: `
    :host {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 6px;
      flex: none;
      padding: 8px 12px 12px 16px;
      border-top: 1px solid var(--line-strong);
      background: var(--surface);
      font-size: var(--fs-xs);
    }
    header {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 2px 8px;
    }
    h3 {
      font-size: var(--fs-sm);
    }
    sw-copy-button {
      margin-left: auto;
    }
  `,
})
export class PodLogLine {
  readonly line = input.required<LogLine>();
  /** Null where it is not held any more. */
  readonly whole = input.required<FullText | null>();
  readonly isUtc = input(false);
  readonly closed = output();
  protected readonly raw = signal(false);
  protected readonly text = computed(() => this.whole()?.text ?? this.line().text);
  protected readonly copied = computed(() => (this.raw() ? rawText(this.text()) : plainText(this.text())));
  protected readonly time = computed(() => fullTime(this.line().time, this.isUtc()));
  protected readonly missing = computed(() => {
    const whole = this.whole();
    if (!whole) return 'Only its begin is still held here. The log board has all of it.';
    return whole.cut > 0 ? `${whole.cut.toLocaleString('en')} more bytes were cut off.` : null;
  });
}
