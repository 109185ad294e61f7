import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject, signal } from '@angular/core';
import type { PropagationName } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { Icon } from '../../shared/ui/icon';

export interface DeleteQuestion {
  /** `web-0`, or `3 pods`. */
  what: string;
  /** The objects by name. */
  names: readonly string[];
  /** What else goes with them, or what else one should know. */
  notes: readonly string[];
  /** Pods can be told to end at once. */
  arePods: boolean;
}

export interface DeleteAnswer {
  propagation: PropagationName;
  atOnce: boolean;
}

/** Longer lists say how many there are beside. */
const NAMED = 8;

const CHOICES: readonly { value: PropagationName; text: string; says: string }[] = [
  {
    value: 'background',
    text: 'Delete what it owns after it',
    says: 'The usual way: pods of a deployment, for one.',
  },
  {
    value: 'foreground',
    text: 'Delete what it owns before it',
    says: 'It stays, marked, until all of that is gone.',
  },
  { value: 'orphan', text: 'Leave what it owns', says: 'It goes on without an owner.' },
];

/** Asks before objects are deleted, and what is to become of those that they own. */
@Component({
  selector: 'sw-delete-dialog',
  imports: [Icon],
  template: `
    <div class="alert-dialog">
      <h2 id="delete-title">Delete {{ question.what }}?</h2>
      <div id="delete-text">
        @for (note of question.notes; track note) {
          <p>{{ note }}</p>
        }
        @if (question.names.length > 1) {
          <ul>
            @for (name of named; track name) {
              <li class="mono"><sw-icon name="minus" [size]="12" />{{ name }}</li>
            }
            @if (rest > 0) {
              <li>and {{ rest }} more</li>
            }
          </ul>
        }
      </div>
      <fieldset>
        <legend>What {{ question.names.length > 1 ? 'they own' : 'it owns' }}</legend>
        @for (choice of choices; track choice.value) {
          <label class="check">
            <input
              type="radio"
              name="propagation"
              [value]="choice.value"
              [checked]="propagation() === choice.value"
              (change)="propagation.set(choice.value)"
            />
            <span
              >{{ choice.text }} <small class="muted">{{ choice.says }}</small></span
            >
          </label>
        }
      </fieldset>
      @if (question.arePods) {
        <label class="check now">
          <input type="checkbox" [checked]="atOnce()" (change)="atOnce.set(!atOnce())" />
          <span>At once <small class="muted">Without the time that a pod has to end by itself.</small></span>
        </label>
      }
      <div class="acts">
        <button type="button" class="btn" data-first (click)="close(false)">
          {{ question.names.length > 1 ? 'Keep them' : 'Keep it' }}
        </button>
        <button type="button" class="btn primary danger" (click)="close(true)">
          Delete {{ question.names.length > 1 ? count : question.what }}
        </button>
      </div>
    </div>
  `,
  styles: `
    p {
      margin-top: 8px;
      color: var(--text-2);
    }
    ul {
      margin-top: 10px;
      font-size: var(--fs-sm);
    }
    li {
      display: flex;
      gap: 8px;
      align-items: baseline;
      padding: 2px 0;
      overflow-wrap: anywhere;
    }
    li sw-icon {
      color: var(--text-3);
    }
    fieldset {
      display: grid;
      gap: 2px;
      margin: 14px 0 0;
      padding: 0;
      border: 0;
    }
    legend {
      padding: 0 0 4px;
      font-size: var(--fs-xs);
      color: var(--text-3);
    }
    .check {
      align-items: baseline;
    }
    .check input {
      position: relative;
      top: 3px;
      flex: none;
    }
    .now {
      margin-top: 10px;
    }
    small {
      font-size: var(--fs-xs);
    }
    h2 {
      overflow-wrap: anywhere;
    }
    .acts .btn {
      max-width: 100%;
      overflow: hidden;
    }
  `,
})
export class DeleteDialog {
  private readonly dialog = inject<DialogRef<DeleteAnswer>>(DialogRef);
  protected readonly question = inject<DeleteQuestion>(DIALOG_DATA);
  protected readonly choices = CHOICES;
  protected readonly propagation = signal<PropagationName>('background');
  protected readonly atOnce = signal(false);
  protected readonly named = this.question.names.slice(0, NAMED);
  protected readonly rest = this.question.names.length - this.named.length;
  protected readonly count = plural(this.question.names.length, 'object');

  protected close(sure: boolean): void {
    this.dialog.close(sure ? { propagation: this.propagation(), atOnce: this.atOnce() } : undefined);
  }
}
