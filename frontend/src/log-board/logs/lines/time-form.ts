import { afterNextRender, Component, type ElementRef, inject, output, viewChild } from '@angular/core';
import { ViewOptions } from '../../../shared/lines/view-options';
import { parseTimeInput } from '../../../shared/search/time-input';
import { PlainButton } from '../../../shared/ui/plain-button';

/** A form for the time to show, in the time zone of the rows. */
@Component({
  selector: 'sw-time-form',
  imports: [PlainButton],
  template: `
    <form class="pad flow tight sm" (submit)="submit($event)">
      <label for="time" i18n>Go to</label>
      <span class="field"><input #time id="time" type="datetime-local" step="1" required /></span>
      <button type="submit" class="btn" i18n>Show</button>
      <button class="btn quiet" (click)="closed.emit()" i18n>Cancel</button>
    </form>
  `,
})
export class TimeForm {
  private readonly options = inject(ViewOptions);
  /** In microseconds. */
  readonly chosen = output<number>();
  readonly closed = output();
  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('time');

  constructor() {
    afterNextRender(() => this.field().nativeElement.focus());
  }

  protected submit(event: Event): void {
    event.preventDefault();
    const { value } = this.field().nativeElement;
    if (value) this.chosen.emit(parseTimeInput(value, this.options.time()) * 1000);
  }
}
