import {
  afterRenderEffect,
  Component,
  computed,
  type ElementRef,
  input,
  signal,
  viewChild,
} from '@angular/core';
import type { JobLogLineDto } from '../api/api-types';
import { formatClock, formatFull } from '../format/format';

/** Nearer to the end than this, the view stays at the end. */
const NEAR_END_PX = 32;

/** The log of a job. Stays at its end until one scrolls up; a button leads back. */
@Component({
  selector: 'sw-job-log',
  template: `
    <div
      #tape
      class="tape"
      role="log"
      aria-live="off"
      tabindex="0"
      [attr.aria-label]="label()"
      (scroll)="scrolled()"
    >
      @for (line of shown(); track line.sequence) {
        <div class="line" [attr.data-kind]="line.kind">
          <time [title]="full(line.time)">{{ clock(line.time) }}</time><span>{{
            line.kind === 'command' ? '$ ' + line.text : line.text
          }}</span>
        </div>
      } @empty {
        <p>Nothing was said yet.</p>
      }
    </div>
    @if (!following()) {
      <button type="button" class="btn small" (click)="toEnd()">To the end</button>
    }
  `,
  styles: `
    :host {
      position: relative;
      display: block;
      min-height: 0;
      background: var(--sunken);
    }
    .tape {
      height: 100%;
      overflow: auto;
      padding: 8px 0 10px;
      font: var(--fs-log) / 1.62 var(--mono);
      overflow-anchor: none;
    }
    .tape:focus-visible {
      outline-offset: -2px;
    }
    .line {
      display: grid;
      grid-template-columns: 10ch minmax(0, 1fr);
      padding: 0 16px;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
      content-visibility: auto;
      contain-intrinsic-size: auto 20px;
    }
    time {
      color: var(--text-3);
    }
    p {
      padding: 0 16px;
      color: var(--text-3);
    }
    [data-kind='output'],
    [data-kind='cut'] {
      color: var(--text-2);
    }
    [data-kind='command'] span {
      color: var(--code-key);
    }
    [data-kind='done'] span {
      color: var(--running-text);
    }
    [data-kind='warning'] span {
      color: var(--degraded-text);
    }
    [data-kind='error'] span {
      color: var(--failed-text);
    }
    .btn {
      position: absolute;
      right: 16px;
      bottom: 10px;
    }
  `,
})
export class JobLog {
  readonly lines = input.required<readonly JobLogLineDto[]>();
  readonly label = input('Log of the job');
  /** Shows the last lines only; null for all of them. */
  readonly tail = input<number | null>(null);
  private readonly tape = viewChild.required<ElementRef<HTMLElement>>('tape');
  protected readonly following = signal(true);
  protected readonly shown = computed(() => {
    const tail = this.tail();
    return tail === null ? this.lines() : this.lines().slice(-tail);
  });
  protected readonly clock = formatClock;
  protected readonly full = formatFull;

  constructor() {
    afterRenderEffect(() => {
      this.shown();
      if (!this.following()) return;
      const { nativeElement: tape } = this.tape();
      tape.scrollTop = tape.scrollHeight;
    });
  }

  protected scrolled(): void {
    const { nativeElement: tape } = this.tape();
    this.following.set(tape.scrollHeight - tape.scrollTop - tape.clientHeight < NEAR_END_PX);
  }

  protected toEnd(): void {
    this.following.set(true);
  }
}
