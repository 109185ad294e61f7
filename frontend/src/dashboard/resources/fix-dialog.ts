import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { FixDto, FixedDto, FixParameterDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { ConfigDiff } from '../editor/config-diff';
import { OBJECT, type ObjectName, objectParams } from '../resource-model/resource-address';

export interface FixQuestion {
  key: ClusterKey;
  /** Whose diagnosis offers the fix. */
  object: ObjectName;
  fix: FixDto;
  container: string | null;
}

/** Shows what a fix changes, and applies it. Closes with the result. */
@Component({
  selector: 'sw-fix-dialog',
  imports: [ConfigDiff, UI],
  template: `
    <form swDialog [error]="problem()?.message" novalidate (submit)="submit($event)">
      <h2 id="dialog-title" class="fill anywhere">{{ fix.label | swRaw }}</h2>
      <p class="soft anywhere">{{ fix.changes | swRaw }}</p>
      @for (parameter of fix.parameters; track parameter.name; let first = $first) {
        <sw-field [label]="parameter.label | swRaw">
          @if (parameter.only_choices) {
            <select
              #choice
              [attr.data-first]="first ? '' : null"
              (change)="set(parameter.name, choice.value)"
            >
              @for (each of parameter.choices; track each) {
                <option [value]="each" [selected]="each === parameter.default">{{ each }}</option>
              }
            </select>
          } @else {
            <input
              swVerbatim
              #text
              class="mono"
              autocomplete="off"
              [attr.list]="parameter.choices.length > 0 ? 'fix-' + parameter.name : null"
              [type]="parameter.secret ? 'password' : 'text'"
              [attr.data-first]="first ? '' : null"
              [value]="parameter.default"
              (input)="set(parameter.name, text.value)"
            />
          }
        </sw-field>
        @if (parameter.choices.length > 0 && !parameter.only_choices) {
          <datalist id="fix-{{ parameter.name }}">
            @for (each of parameter.choices; track each) {
              <option [value]="each"></option>
            }
          </datalist>
        }
      }
      @if (review(); as review) {
        @if (review.outcome === 'unchanged') {
          <sw-notice i18n>The dry run changes nothing.</sw-notice>
        } @else if (review.before !== null || review.after !== null) {
          <sw-config-diff
            label="Changes"
            i18n-label
            [before]="review.before ?? ''"
            [after]="review.after ?? ''"
          />
        } @else {
          <p>{{ review.message }}</p>
        }
        @for (warning of review.warnings; track warning) {
          <sw-notice tone="warning">{{ warning }}</sw-notice>
        }
      }
      <span foot i18n class="fill soft sm" role="status">
        @if (review()) {
          Result of a server-side dry run
        }
      </span>
      <button action [class.danger]="isRemoval()" [swSubmit]="busy() || review()?.outcome === 'unchanged'">
        {{ actionText() }}
      </button>
    </form>
  `,
})
export class FixDialog {
  private readonly api = inject(Api);
  private readonly dialog = inject<DialogRef<FixedDto>>(DialogRef);
  private readonly question = inject<FixQuestion>(DIALOG_DATA);
  protected readonly fix = this.question.fix;
  private readonly values = signal(valuesOf(this.fix.parameters));
  /** Result of the dry run for what is entered. */
  protected readonly review = signal<FixedDto | null>(null);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly busy = signal(false);
  protected readonly isRemoval = computed(() => this.review()?.outcome === 'deleted');
  protected readonly actionText = computed(() => {
    if (this.busy()) return this.review() ? $localize`Applying` : $localize`Checking`;
    return this.review() ? this.fix.label : $localize`Review changes`;
  });

  constructor() {
    // The proposed values are usually the ones to use.
    void this.send(true);
  }

  protected set(name: string, value: string): void {
    this.values.update((values) => ({ ...values, [name]: value }));
    this.review.set(null);
    this.problem.set(null);
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    const review = this.review();
    if (this.busy() || review?.outcome === 'unchanged') return;
    const result = await this.send(review === null);
    if (result && review) this.dialog.close(result);
  }

  private async send(dryRun: boolean): Promise<FixedDto | undefined> {
    const { key, object, container } = this.question;
    const parameters = this.values();
    this.busy.set(true);
    this.problem.set(null);
    try {
      const result = await this.api.send(`POST ${OBJECT}/fix`, objectParams(key, object), {
        fix: this.fix.code,
        container: container ?? undefined,
        parameters,
        dry_run: dryRun,
      });
      // The values may have been edited meanwhile.
      if (dryRun && parameters === this.values()) this.review.set(result);
      return result;
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
      return undefined;
    } finally {
      this.busy.set(false);
    }
  }
}

function valuesOf(parameters: readonly FixParameterDto[]): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, default: value }) => [name, value]));
}
