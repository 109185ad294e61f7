import { Component, computed, input, output } from '@angular/core';
import { formatCount, lineCount } from '../format/format';
import { apiResource } from '../loading/api-resource';
import { visibleText } from '../lines/ansi';
import {
  filterParameters,
  type LogQuery,
  type SearchScope,
  withField,
  withoutField,
} from '../search/log-query';
import { examinedLabel } from './examined-label';
import { GroupActions } from '../search/group-actions';

/** The most frequent values of a field in the lines of the current search. */
@Component({
  selector: 'sw-field-values',
  imports: [GroupActions],
  template: `
    @if (found.problem(); as problem) {
      <p class="error-text">{{ problem.message }}</p>
    } @else if (found.value(); as groups) {
      <p class="muted" role="status">{{ summary() }}</p>
      <ol>
        @for (entry of groups.values; track entry.value) {
          <li>
            <b class="nowrap">{{ formatCount(entry.count) }}</b>
            <span class="mono anywhere">{{ visibleText(entry.value) }}</span>
            <sw-group-actions
              [onlyLabel]="onlyLabel(entry.value)"
              [withoutLabel]="withoutLabel(entry.value)"
              (only)="only(entry.value)"
              (without)="without(entry.value)"
            />
          </li>
        }
      </ol>
    } @else {
      <p class="muted" role="status" i18n>Counting …</p>
    }
  `,
  styles: `
    :host {
      grid-column: 1 / -1;
      padding: 6px 0 6px 10px;
      border-left: 2px solid var(--line);
    }
    ol {
      margin: 4px 0 0;
    }
    li {
      display: grid;
      grid-template-columns: minmax(4ch, auto) minmax(0, 1fr) auto;
      gap: 8px;
      align-items: center;
    }
  `,
  host: { class: 'xs' },
})
export class FieldValues {
  readonly name = input.required<string>();
  readonly query = input.required<LogQuery>();
  readonly scope = input.required<SearchScope>();
  readonly changed = output<LogQuery>();

  protected readonly found = apiResource('/api/fields', () => ({
    ...filterParameters(this.query(), this.scope()),
    name: this.name(),
  }));
  protected readonly summary = computed(() => {
    const found = this.found.value();
    if (found === null) return '';
    const { without, others } = found;
    const parts = [examinedLabel(found)];
    if (others > 0) parts.push($localize`${lineCount(others)}:lines: with rarer values`);
    if (without > 0) parts.push($localize`${lineCount(without)}:lines: without the field`);
    return parts.join('; ');
  });
  protected readonly formatCount = formatCount;
  protected readonly visibleText = visibleText;

  protected onlyLabel(value: string): string {
    return $localize`Only lines with ${this.name()}:field: ${value}:value:`;
  }

  protected withoutLabel(value: string): string {
    return $localize`Without lines with ${this.name()}:field: ${value}:value:`;
  }

  protected only(value: string): void {
    this.changed.emit(withField(this.query(), { name: this.name(), value }));
  }

  protected without(value: string): void {
    this.changed.emit(withoutField(this.query(), { name: this.name(), value }));
  }
}
