import { CdkMenu, CdkMenuItemRadio, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, computed, inject, input, output } from '@angular/core';
import type { LinePatternDto, LogSourceDto } from '../api/api-types';
import { Clock } from '../browser/clock';
import { formatCount, lineCount } from '../format/format';
import { sameJson } from '../format/same-json';
import { lineDay } from '../lines/line-time';
import { ViewOptions } from '../lines/view-options';
import { apiResource } from '../loading/api-resource';
import { Sparkline } from '../ui/sparkline';
import { UI } from '../ui/ui';
import { filterParameters, type LogQuery, type SearchScope, withoutText } from '../search/log-query';
import { rolloutsOf } from './rollouts';
import { periodClock } from '../search/time-input';
import { examinedLabel } from './examined-label';
import { GroupActions } from '../search/group-actions';

/** A shorter text would hide other lines, too. */
const MIN_HIDDEN = 4;
const MAX_ROLLOUTS = 12;

/** Similar lines of the current search, with their number. */
@Component({
  selector: 'sw-line-patterns',
  imports: [UI, CdkMenu, CdkMenuItemRadio, CdkMenuTrigger, GroupActions, Sparkline],
  template: `
    <header class="inline pad line-below xs">
      <h2 i18n>Patterns</h2>
      <span class="muted cut" role="status">{{ examined() }}</span>
      <span class="inline end">
        <button
          swIconButton="refresh"
          large
          label="Reload patterns"
          i18n-label
          title="Reload"
          i18n-title
          (click)="found.reload()"
        ></button>
        <sw-close-button (closed)="closed.emit()" />
      </span>
    </header>
    <p class="since pad line-below">
      <button class="btn small" [cdkMenuTriggerFor]="choices">{{ chosen() }}</button>
      <ng-template #choices>
        <div cdkMenu class="menu">
          @for (choice of sinceChoices(); track choice.since) {
            <button
              cdkMenuItemRadio
              [cdkMenuItemChecked]="choice.since === since()"
              (cdkMenuItemTriggered)="sinceChanged.emit(choice.since)"
            >
              {{ choice.text }}
              @if (choice.since === since()) {
                <sw-icon class="tail" name="check" [size]="14" />
              }
            </button>
          }
        </div>
      </ng-template>
    </p>
    <div class="fill scroll" tabindex="0" role="group" aria-label="Patterns" i18n-aria-label>
      @if (found.problem()) {
        <sw-load-error heading="Could not load the patterns" i18n-heading [of]="found" />
      } @else if (found.value(); as groups) {
        <ol>
          @for (group of groups.patterns; track group.pattern) {
            <li class="line-below">
              <span class="inline xs">
                <b>{{ formatCount(group.count) }}</b>
                <span class="muted">{{ share(group) }}</span>
                @if (group.example.level; as level) {
                  <span [attr.data-level]="level">{{ level }}</span>
                }
                <sw-sparkline [values]="group.counts" [label]="curveLabel(group)" />
                <sw-group-actions
                  [onlyLabel]="onlyLabel(group)"
                  [withoutLabel]="withoutLabel(group)"
                  [canFilter]="group.regex !== ''"
                  [canHide]="group.text.length >= minHidden"
                  (only)="only(group)"
                  (without)="without(group)"
                />
              </span>
              <span class="mono xs anywhere" [title]="group.example.text">{{ group.pattern || empty }}</span>
            </li>
          } @empty {
            <li>
              <p class="muted sm">{{ noneText() }}</p>
            </li>
          }
        </ol>
        @if (groups.others > 0) {
          <p class="pad muted xs">{{ others(groups.others) }}</p>
        }
      } @else {
        <sw-skeleton-rows label="Loading patterns" i18n-label [height]="44" />
      }
    </div>
  `,
  styleUrl: './line-groups.scss',
  host: { class: 'flex-column surface' },
})
export class LinePatterns {
  readonly query = input.required<LogQuery>();
  readonly scope = input.required<SearchScope>();
  /** The chosen sources. */
  readonly sources = input<readonly LogSourceDto[]>([]);
  /** Only patterns that are new: since this time, RFC 3339, or in the time range (`range`); null for all. */
  readonly since = input<string | null>(null);
  readonly sinceChanged = output<string | null>();
  readonly changed = output<LogQuery>();
  readonly closed = output();

  private readonly options = inject(ViewOptions);
  private readonly now = inject(Clock).now;
  protected readonly found = apiResource('/api/patterns', () => {
    const parameters = filterParameters(this.query(), this.scope());
    const since = this.since() === 'range' ? this.query().from : this.since();
    return since === null ? parameters : { ...parameters, new_since: since };
  });
  private readonly rollouts = computed(() => rolloutsOf(this.sources()).slice(0, MAX_ROLLOUTS), {
    equal: sameJson,
  });
  protected readonly sinceChoices = computed(() => {
    const clock = periodClock(this.options.time(), lineDay(this.now() * 1000, this.options.time()));
    const since = this.since();
    const choices: { since: string | null; text: string }[] = [
      { since: null, text: $localize`All patterns` },
    ];
    if (this.query().from !== null) choices.push({ since: 'range', text: $localize`New in the time range` });
    for (const { name, time } of this.rollouts()) {
      choices.push({
        since: time,
        text: $localize`New since the rollout of ${name}:deployment:, ${clock(time)}:time:`,
      });
    }
    // Of a link: of another rollout, or any time.
    if (since !== null && choices.every((choice) => choice.since !== since)) {
      const text =
        since === 'range' ? $localize`New in the time range` : $localize`New since ${clock(since)}:time:`;
      choices.push({ since, text });
    }
    return choices;
  });
  protected readonly chosen = computed(
    () => this.sinceChoices().find(({ since }) => since === this.since())?.text ?? '',
  );
  protected readonly noneText = computed(() =>
    this.since() === null ? $localize`No lines match.` : $localize`No pattern is new.`,
  );
  protected readonly examined = computed(() => {
    const found = this.found.value();
    return found === null ? '' : examinedLabel(found);
  });
  protected readonly minHidden = MIN_HIDDEN;
  protected readonly empty = $localize`(empty)`;
  protected readonly formatCount = formatCount;

  protected share({ count }: LinePatternDto): string {
    const examined = this.found.value()?.examined ?? 0;
    const percent = (count / Math.max(1, examined)) * 100;
    return percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
  }

  protected curveLabel({ counts }: LinePatternDto): string {
    const most = Math.max(...counts);
    return $localize`At most ${lineCount(most)}:lines: in each of ${counts.length}:count: parts of the time`;
  }

  protected others(count: number): string {
    return $localize`${lineCount(count)}:lines: with rarer patterns`;
  }

  protected onlyLabel({ pattern }: LinePatternDto): string {
    return $localize`Only lines like ${pattern}:pattern:`;
  }

  protected withoutLabel({ text }: LinePatternDto): string {
    return $localize`Without lines that contain ${text}:text:`;
  }

  protected only({ regex }: LinePatternDto): void {
    this.changed.emit({ ...this.query(), text: regex, regex: true });
  }

  protected without({ text }: LinePatternDto): void {
    this.changed.emit(withoutText(this.query(), text));
  }
}
