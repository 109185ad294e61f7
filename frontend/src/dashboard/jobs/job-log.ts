import { afterRenderEffect, Component, computed, input, signal, untracked, viewChild } from '@angular/core';
import type { JobLogLineDto } from '../../shared/api/api-types';
import { LineList } from '../../shared/lines/line-list';
import type { SourceStyle } from '../../shared/lines/line-style';
import { saveFile } from '../../shared/ui/save-file';
import { UI } from '../../shared/ui/ui';
import { JobRows, toText } from './job-rows';
import { lineCount } from '../../shared/format/format';

const PHONE = '(width <= 720px)';

/** The log of a job. Lines of a running job appear at its end; that of a finished job starts at the top. */
@Component({
  selector: 'sw-job-log',
  imports: [LineList, UI],
  template: `
    @if (toolbar()) {
      <div class="bar line-below sm">
        <h3 i18n class="sm medium">Log</h3>
        <span class="muted count">{{ count() }}</span>
        <button
          i18n
          class="btn small quiet"
          [attr.aria-pressed]="list.following()"
          title="Stay at the end when lines are added"
          i18n-title
          (click)="list.following() ? list.unfollow() : list.follow()"
        >
          <sw-icon name="arrow-down" />Follow
        </button>
        <button
          class="btn small quiet"
          [attr.aria-pressed]="wrapped()"
          title="Wrap long lines"
          i18n-title
          (click)="wrapped.set(!wrapped())"
          i18n
        >
          Wrap
        </button>
        <sw-copy-button [text]="text()" name="Copy log" i18n-name />
        <button swIconButton="download" label="Download log" i18n-label (click)="save()"></button>
      </div>
    }
    <div class="frame" [style.--rows]="rows().end">
      <sw-line-list
        #list
        [rows]="rows()"
        [label]="label()"
        [sourceStyle]="sourceStyle"
        [wrap]="wrapped()"
        [mixed]="false"
        [levels]="false"
        [growing]="growing()"
        [button]="true"
      />
      @if (lines().length === 0) {
        <p class="muted sm" i18n>No output</p>
      }
    </div>
  `,
  styles: `
    .bar {
      display: flex;
      align-items: center;
      gap: 6px;
      padding: 6px 10px 6px 16px;
    }
    .count {
      flex: 1;
    }
    .frame {
      flex: 1;
      position: relative;
      border-radius: 0 0 var(--r-lg) var(--r-lg);
      overflow: hidden;
    }
    .bar + .frame {
      flex: none;
      height: clamp(9rem, calc(var(--rows) * 1.375rem + 4px), max(20rem, 100dvh - 30rem));
    }
    sw-line-list {
      height: 100%;
      background: var(--sunken);
    }
    p {
      position: absolute;
      inset: 8px 16px auto;
    }
    @media (width <= 720px) {
      .bar + .frame {
        height: clamp(9rem, calc(var(--rows) * 1.375rem + 4px), 70dvh);
      }
      .count {
        visibility: hidden;
      }
    }
  `,
  host: { class: 'flex-column' },
})
export class JobLog {
  readonly lines = input.required<readonly JobLogLineDto[]>();
  readonly label = input($localize`Job log`);
  readonly file = input('job.log');
  readonly growing = input(false);
  readonly toolbar = input(true);
  private readonly list = viewChild.required(LineList);

  protected readonly wrapped = signal(matchMedia(PHONE).matches);
  protected readonly rows = computed(() => {
    this.file();
    return new JobRows(this.lines);
  });
  protected readonly text = computed(() => toText(this.lines()));
  protected readonly count = computed(() => lineCount(this.lines().length));
  protected readonly sourceStyle = (): SourceStyle => ({ name: '', title: '', hue: 1 });

  constructor() {
    afterRenderEffect(() => {
      this.rows();
      untracked(() => {
        if (!this.growing()) this.list().toTop();
      });
    });
  }

  protected save(): void {
    saveFile(this.text(), this.file(), 'text/plain');
  }
}
