import { Component, computed, inject, input } from '@angular/core';
import { Clock } from '../browser/clock';
import { formatAgo, formatFull } from '../format/format';

/** A relative time that updates; the tooltip has the full time. */
@Component({
  selector: 'sw-ago',
  template: `<time class="nowrap" [attr.datetime]="time()" [title]="full()">{{ text() }}</time>`,
})
export class Ago {
  private readonly clock = inject(Clock);
  /** RFC 3339. */
  readonly time = input.required<string>();
  protected readonly text = computed(() => formatAgo(this.time(), this.clock.now()));
  protected readonly full = computed(() => formatFull(this.time()));
}
