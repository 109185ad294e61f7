import { Component, input } from '@angular/core';
import { Sparkline } from '../../../shared/ui/sparkline';
import { UI } from '../../../shared/ui/ui';

export interface DetailRow {
  title: string;
  /** Beside each other: texts or links to a page, in a look, which is classes. */
  parts: readonly { text: string; look?: string; page?: string }[];
  /** RFC 3339; shown as an age. */
  time?: string | null;
  /** Of a figure, beside it. */
  trend?: { values: readonly (number | null)[]; label: string };
  /** In a line of its own. */
  message?: string;
}

export function textRow(title: string, text: string, look = ''): DetailRow {
  return { title, parts: [{ text, look }] };
}

/** The rows of a list of details; more of them may go inside. */
@Component({
  selector: 'dl[swDetailRows]',
  imports: [Sparkline, UI],
  template: `
    @for (row of swDetailRows(); track $index) {
      <dt [class]="titles()">{{ row.title }}</dt>
      <dd [class.inline]="row.trend">
        @for (part of row.parts; track $index) {
          &ngsp;
          @if (part.page; as page) {
            <a [class]="part.look" [swLink]="page">{{ part.text }}</a>
          } @else {
            <span [class]="part.look">{{ part.text }}</span>
          }
        }
        @if (row.trend; as trend) {
          <sw-sparkline [values]="trend.values" [label]="trend.label" />
        }
        @if (row.time; as time) {
          <span class="muted">, <sw-ago [time]="time" /></span>
        }
        @if (row.message) {
          <div class="soft xs">{{ row.message }}</div>
        }
      </dd>
    }
    <ng-content />
  `,
  styles: `
    .inline > span {
      flex: none;
      width: 4.5rem;
    }
  `,
  host: { class: 'meta-list' },
})
export class DetailRows {
  readonly swDetailRows = input.required<readonly DetailRow[]>();
  /** Classes of the titles. */
  readonly titles = input('');
}
