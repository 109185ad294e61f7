import { A11yModule } from '@angular/cdk/a11y';
import { CdkConnectedOverlay, CdkOverlayOrigin } from '@angular/cdk/overlay';
import { Component, computed, input, output, signal } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import type { TableColumn } from './table-columns';

@Component({
  selector: 'sw-column-choice',
  imports: [A11yModule, CdkConnectedOverlay, CdkOverlayOrigin, Icon],
  template: `
    <button
      i18n
      type="button"
      class="btn"
      cdkOverlayOrigin
      #origin="cdkOverlayOrigin"
      aria-haspopup="dialog"
      [attr.aria-expanded]="open()"
      (click)="open.set(!open())"
    >
      <sw-icon name="columns" />Columns
    </button>
    <ng-template
      cdkConnectedOverlay
      [cdkConnectedOverlayOrigin]="origin"
      [cdkConnectedOverlayOpen]="open()"
      [cdkConnectedOverlayHasBackdrop]="true"
      cdkConnectedOverlayBackdropClass="cdk-overlay-transparent-backdrop"
      (backdropClick)="open.set(false)"
      (detach)="open.set(false)"
    >
      <div
        class="menu"
        role="dialog"
        aria-label="Columns"
        i18n-aria-label
        cdkTrapFocus
        [cdkTrapFocusAutoCapture]="true"
      >
        @for (group of groups(); track group.title) {
          <fieldset class="fl">
            <legend class="muted xs">{{ group.title }}</legend>
            @for (column of group.columns; track column.title) {
              <label class="check" [title]="column.description">
                <input type="checkbox" [checked]="isShown(column)" (change)="toggle(column)" />
                <span class="cut">{{ column.label || column.title }}</span>
              </label>
            }
          </fieldset>
        }
        <hr />
        <button i18n type="button" (click)="chosen.emit(undefined)">Reset to default</button>
      </div>
    </ng-template>
  `,
  styles: `
    .menu {
      margin-block: 4px;
      max-height: min(480px, 70vh);
      max-width: 320px;
      overflow: auto;
    }
    fieldset {
      display: grid;
      padding: 0 8px 6px;
    }
    .check {
      min-height: 28px;
      min-width: 0;
    }
  `,
})
export class ColumnChoice {
  readonly columns = input.required<readonly TableColumn[]>();
  readonly shown = input.required<readonly TableColumn[]>();
  /** Titles of the columns; undefined for the default. */
  readonly chosen = output<readonly string[] | undefined>();
  protected readonly open = signal(false);
  protected readonly groups = computed(() => {
    const columns = this.columns().filter(({ kind }) => kind !== 'name');
    const labels = columns.filter(({ kind }) => kind === 'label');
    return [
      { title: $localize`Columns`, columns: columns.filter(({ kind }) => kind !== 'label') },
      ...(labels.length > 0 ? [{ title: $localize`Labels`, columns: labels }] : []),
    ];
  });

  protected isShown({ title }: TableColumn): boolean {
    return this.shown().some((column) => column.title === title);
  }

  protected toggle(column: TableColumn): void {
    const titles = this.shown().map(({ title }) => title);
    this.chosen.emit(
      this.isShown(column) ? titles.filter((title) => title !== column.title) : [...titles, column.title],
    );
  }
}
