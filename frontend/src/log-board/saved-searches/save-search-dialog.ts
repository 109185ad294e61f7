import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, maxLength } from '@angular/forms/signals';
import { Api } from '../../shared/api/api';
import type { SavedSearchDto } from '../../shared/api/api-types';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';

export interface SearchToSave {
  query: string;
  /** The saved search to rename; null for a new one. */
  saved: SavedSearchDto | null;
}

@Component({
  selector: 'sw-save-search-dialog',
  imports: [UI, FormField, FormRoot],
  template: `
    <form swDialog [error]="error()" [formRoot]="form">
      <h2 id="dialog-title">{{ title }}</h2>
      <sw-field label="Name" i18n-label>
        <input data-first id="search-name" autocomplete="off" [formField]="form.name" />
      </sw-field>
      <button action type="submit" class="btn primary" [disabled]="form().submitting()">
        {{ form().submitting() ? busyAction : action }}
      </button>
    </form>
  `,
})
export class SaveSearchDialog {
  private readonly search = inject<SearchToSave>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<SavedSearchDto>>(DialogRef);
  private readonly api = inject(Api);
  protected readonly title = this.search.saved
    ? $localize`Rename ${this.search.saved.name}:name:`
    : $localize`Save search`;
  protected readonly action = this.search.saved ? $localize`Rename` : $localize`Save`;
  protected readonly busyAction = $localize`Saving …`;
  protected readonly form = form(
    signal<{ name: string }>({ name: this.search.saved?.name ?? '' }),
    (path) => {
      maxLength(path.name, 80);
    },
    { submission: apiSubmission<{ name: string }>(({ name }) => this.save(name.trim())) },
  );
  protected readonly error = computed(() => formError(this.form));

  private async save(name: string): Promise<void> {
    const { saved, query } = this.search;
    const request = { name, query };
    this.dialog.close(
      saved
        ? await this.api.send('PUT /api/saved-searches/{id}', { id: saved.id }, request)
        : await this.api.send('POST /api/saved-searches', {}, request),
    );
  }
}
