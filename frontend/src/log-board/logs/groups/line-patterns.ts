import { Component, computed, input, output } from '@angular/core';
import type { LinePatternDto } from '../../../shared/api/api-types';
import { formatCount, lineCount } from '../../../shared/format/format';
import { apiResource } from '../../../shared/loading/api-resource';
import { UI } from '../../../shared/ui/ui';
import { filterParameters, type LogQuery, type SearchScope, withoutText } from '../../search-model/log-query';
import { examinedLabel } from './examined-label';
import { GroupActions } from './group-actions';

/** A shorter text would hide other lines, too. */
const MIN_HIDDEN = 4;

/** Similar lines of the current search, with their number. */
@Component({
  selector: 'sw-line-patterns',
  imports: [UI, GroupActions],
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
            <li><p class="muted sm" i18n>No lines match.</p></li>
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
  readonly changed = output<LogQuery>();
  readonly closed = output();

  protected readonly found = apiResource('/api/patterns', () => filterParameters(this.query(), this.scope()));
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
