import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import type { DrainDto } from '../../shared/api/api-types';
import { Icon } from '../../shared/ui/icon';
import type { DrainLosses } from './drain-losses';

/** What of a drain's request a person agrees to. */
export type DrainConsent = Pick<DrainDto, 'force' | 'delete_emptydir_data'>;

export interface DrainQuestion {
  node: string;
  losses: DrainLosses;
}

interface Loss {
  field: keyof DrainConsent;
  pods: readonly string[];
  says: string;
  consent: string;
}

/** Longer lists say how many there are beside. */
const NAMED = 6;

/** Names the pods that a drain would lose, and has each sort of loss agreed to before it goes on. */
@Component({
  selector: 'sw-drain-dialog',
  imports: [Icon],
  template: `
    <div class="alert-dialog">
      <h2 id="drain-title">Drain {{ question.node }} all the same?</h2>
      <div id="drain-text">
        <p>Nothing was evicted: a drain of this node would lose something for good.</p>
      </div>
      @for (loss of losses; track loss.field) {
        <section>
          <p>{{ loss.says }}</p>
          <ul>
            @for (pod of loss.pods.slice(0, named); track pod) {
              <li class="mono"><sw-icon name="minus" [size]="12" />{{ pod }}</li>
            }
            @if (loss.pods.length > named) {
              <li>and {{ loss.pods.length - named }} more</li>
            }
          </ul>
          <label class="check">
            <input type="checkbox" [checked]="agreed().has(loss.field)" (change)="toggle(loss.field)" />
            <span>{{ loss.consent }}</span>
          </label>
        </section>
      }
      <div class="acts">
        <button type="button" class="btn" data-first (click)="close(false)">Leave it</button>
        <button type="button" class="btn primary danger" [disabled]="!complete()" (click)="close(true)">
          Drain it
        </button>
      </div>
    </div>
  `,
  styles: `
    p {
      margin-top: 8px;
      color: var(--text-2);
    }
    section {
      margin-top: 14px;
      padding-top: 6px;
      border-top: 1px solid var(--line);
    }
    ul {
      margin: 8px 0 10px;
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
      flex: none;
      color: var(--text-3);
    }
    h2 {
      overflow-wrap: anywhere;
    }
  `,
})
export class DrainDialog {
  private readonly dialog = inject<DialogRef<DrainConsent>>(DialogRef);
  protected readonly question = inject<DrainQuestion>(DIALOG_DATA);
  protected readonly named = NAMED;
  protected readonly losses = lossesOf(this.question.losses);
  protected readonly agreed = signal<ReadonlySet<keyof DrainConsent>>(new Set());
  protected readonly complete = computed(() => this.losses.every(({ field }) => this.agreed().has(field)));

  protected toggle(field: keyof DrainConsent): void {
    this.agreed.update((agreed) =>
      agreed.has(field) ? new Set([...agreed].filter((each) => each !== field)) : new Set([...agreed, field]),
    );
  }

  protected close(sure: boolean): void {
    this.dialog.close(sure ? Object.fromEntries(this.losses.map(({ field }) => [field, true])) : undefined);
  }
}

function lossesOf({ bare, emptydir }: DrainLosses): Loss[] {
  const all: Loss[] = [
    {
      field: 'force',
      pods: bare,
      says: 'Nobody brings these pods back once they are evicted:',
      consent: bare.length === 1 ? 'Lose this pod' : `Lose these ${bare.length} pods`,
    },
    {
      field: 'delete_emptydir_data',
      pods: emptydir,
      says: 'These pods keep data in emptyDir volumes, which goes with them:',
      consent: emptydir.length === 1 ? 'Lose its data' : 'Lose their data',
    },
  ];
  return all.filter(({ pods }) => pods.length > 0);
}
