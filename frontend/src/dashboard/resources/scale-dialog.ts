import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';

export interface ScaleQuestion {
  name: string;
  replicas: number;
}

/** As the API takes it. */
const MOST = 1000;

/** Asks how many replicas are wanted. */
@Component({
  selector: 'sw-scale-dialog',
  template: `
    <form class="alert-dialog" (submit)="done($event)">
      <h2 id="scale-title">Scale {{ question.name }}</h2>
      <div class="fl">
        <label for="scale-count">Replicas</label>
        <div class="line">
          <button
            type="button"
            class="btn icon"
            aria-label="One fewer"
            [disabled]="count() <= 0"
            (click)="by(-1)"
          >
            −
          </button>
          <span class="field" [class.bad]="!valid()">
            <input
              #field
              id="scale-count"
              data-first
              type="number"
              inputmode="numeric"
              min="0"
              [max]="most"
              [value]="count()"
              [attr.aria-invalid]="!valid()"
              aria-describedby="scale-hint"
              (input)="count.set(field.valueAsNumber)"
            />
          </span>
          <button
            type="button"
            class="btn icon"
            aria-label="One more"
            [disabled]="count() >= most"
            (click)="by(1)"
          >
            +
          </button>
        </div>
        <p id="scale-hint" class="hint" [class.bad]="!valid()">
          {{
            valid()
              ? 'Now ' + question.replicas + '. None stops it and keeps all else.'
              : 'A whole number from 0 to ' + most
          }}
        </p>
      </div>
      <div class="acts">
        <button type="button" class="btn" (click)="close()">Leave it</button>
        <button type="submit" class="btn primary" [disabled]="!valid() || count() === question.replicas">
          Scale to {{ valid() ? count() : '…' }}
        </button>
      </div>
    </form>
  `,
  styles: `
    .fl {
      margin-top: 12px;
    }
    .line {
      display: flex;
      gap: 6px;
    }
    .field {
      width: 110px;
    }
    h2 {
      overflow-wrap: anywhere;
    }
  `,
})
export class ScaleDialog {
  private readonly dialog = inject<DialogRef<number>>(DialogRef);
  protected readonly question = inject<ScaleQuestion>(DIALOG_DATA);
  protected readonly most = MOST;
  protected readonly count = signal(this.question.replicas);
  protected readonly valid = computed(() => {
    const count = this.count();
    return Number.isInteger(count) && count >= 0 && count <= MOST;
  });

  protected by(step: number): void {
    this.count.update((count) => Math.max(0, Math.min(MOST, (Number.isInteger(count) ? count : 0) + step)));
  }

  protected done(event: Event): void {
    event.preventDefault();
    if (this.valid()) this.dialog.close(this.count());
  }

  protected close(): void {
    this.dialog.close();
  }
}
