import { NgTemplateOutlet } from '@angular/common';
import { Component, input, output, signal, type TemplateRef } from '@angular/core';
import { visibleText } from '../lines/ansi';
import { IconButton } from '../ui/icon-button';
import { PlainButton } from '../ui/plain-button';
import { GroupActions } from './group-actions';
import { type FieldValue, isSearchable, type LogQuery, withField, withoutField } from './log-query';

const FORMATS = { json: 'JSON', logfmt: 'logfmt', access: $localize`access log` } as const;
/** `trace_id`, `traceId`, `trace.id`, `request_id`, `dd.trace_id`, `x-correlation-id` and the like. */
const TRACE = /(?:^|[._-]|x-)(?:trace|request|correlation|transaction)[._-]?id$|^(?:trace|rid)$/i;

/** The fields of a line, and filters made from them. */
@Component({
  selector: 'sw-line-fields',
  imports: [GroupActions, IconButton, NgTemplateOutlet, PlainButton],
  template: `
    @if (fields().length > 0) {
      <h3 class="line-above muted xs medium" i18n>Fields ({{ formats[format() ?? 'logfmt'] }})</h3>
      <dl class="sm">
        @for (field of fields(); track $index) {
          <dt class="cut muted" [title]="field.name">{{ field.name }}</dt>
          <dd class="spread">
            <span class="mono anywhere">{{ visibleText(field.value) }}</span>
            @if (isSearchable(field)) {
              <sw-group-actions
                [onlyLabel]="onlyLabel(field)"
                [withoutLabel]="withoutLabel(field)"
                (only)="only(field)"
                (without)="without(field)"
              >
                @if (values()) {
                  <button
                    swIconButton="logs"
                    [size]="14"
                    [label]="valuesLabel(field)"
                    title="Top values"
                    i18n-title
                    [attr.aria-expanded]="counted() === field.name"
                    (click)="toggleValues(field)"
                  ></button>
                }
              </sw-group-actions>
            }
          </dd>
          @if (isTrace(field) && isSearchable(field)) {
            <dt></dt>
            <dd>
              <button class="link" (click)="only(field)" i18n>Only this trace</button>
            </dd>
          }
          @if (counted() === field.name) {
            <ng-container
              [ngTemplateOutlet]="values()"
              [ngTemplateOutletContext]="{ $implicit: field.name }"
            />
          }
        }
      </dl>
    }
  `,
  styleUrl: './line-fields.scss',
  host: { class: 'stack' },
})
export class LineFields {
  readonly fields = input.required<readonly FieldValue[]>();
  readonly format = input.required<keyof typeof FORMATS | null>();
  readonly query = input.required<LogQuery>();
  /** Shows the most frequent values of the field with the given name. */
  readonly values = input<TemplateRef<{ $implicit: string }> | null>(null);
  readonly changed = output<LogQuery>();

  protected readonly formats = FORMATS;
  protected readonly visibleText = visibleText;
  protected readonly isSearchable = isSearchable;
  /** The field whose most frequent values are shown. */
  protected readonly counted = signal<string | null>(null);

  protected onlyLabel({ name }: FieldValue): string {
    return $localize`Only lines with this ${name}:field:`;
  }

  protected withoutLabel({ name }: FieldValue): string {
    return $localize`Without lines with this ${name}:field:`;
  }

  protected valuesLabel({ name }: FieldValue): string {
    return $localize`Top values of ${name}:field:`;
  }

  protected only(field: FieldValue): void {
    this.changed.emit(withField(this.query(), field));
  }

  protected without(field: FieldValue): void {
    this.changed.emit(withoutField(this.query(), field));
  }

  protected toggleValues({ name }: FieldValue): void {
    this.counted.update((counted) => (counted === name ? null : name));
  }

  /** Lines of all sources that share the value of a field that names a trace or a request. */
  protected isTrace({ name, value }: FieldValue): boolean {
    return value !== '' && TRACE.test(name);
  }
}
