import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, DOCUMENT, inject, signal } from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { SavedSearchDto } from '../../shared/api/api-types';
import { asSentence } from '../../shared/format/format';
import { Icon } from '../../shared/ui/icon';
import { SavedSearchesApi } from './saved-searches-api';

/** A search that is to get a name: a new one, or one that has another. */
export interface SearchToName {
  query: string;
  saved: SavedSearchDto | null;
}

/** The name of a search. */
@Component({
  selector: 'sw-save-search-dialog',
  imports: [Icon],
  template: `
    <form class="dialog-form" novalidate (submit)="submit($event)">
      <div class="dialog-head">
        <h2 id="search-title">{{ search.saved ? 'Rename ' + search.saved.name : 'Save this search' }}</h2>
        <button type="button" class="btn icon quiet" aria-label="Close" title="Close" (click)="close()">
          <sw-icon name="x" />
        </button>
      </div>
      <div class="dialog-body">
        <div class="fl">
          <label for="search-name">Name</label>
          <div class="field" [class.bad]="complaint()">
            <input
              #text
              id="search-name"
              autocomplete="off"
              maxlength="80"
              [value]="name()"
              [attr.aria-invalid]="complaint() !== ''"
              [attr.aria-describedby]="complaint() ? 'search-hint' : null"
              (input)="name.set(text.value)"
            />
          </div>
          @if (complaint(); as words) {
            <p class="hint bad" id="search-hint" role="alert">
              <sw-icon name="warning" [size]="14" />{{ words }}
            </p>
          }
        </div>
      </div>
      <div class="dialog-foot">
        <div class="acts">
          <button type="button" class="btn" (click)="close()">Cancel</button>
          <button type="submit" class="btn primary" [disabled]="sending()">
            {{ sending() ? 'Saving …' : search.saved ? 'Rename' : 'Save' }}
          </button>
        </div>
      </div>
    </form>
  `,
})
export class SaveSearchDialog {
  protected readonly search = inject<SearchToName>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<SavedSearchDto>>(DialogRef);
  private readonly api = inject(SavedSearchesApi);
  private readonly document = inject(DOCUMENT);
  protected readonly name = signal(this.search.saved?.name ?? '');
  protected readonly complaint = signal('');
  protected readonly sending = signal(false);

  protected close(): void {
    this.dialog.close();
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending()) return;
    const { saved, query } = this.search;
    const request = { name: this.name().trim(), query };
    this.sending.set(true);
    try {
      this.dialog.close(saved ? await this.api.update(saved.id, request) : await this.api.create(request));
    } catch (thrown) {
      const problem = ApiProblem.of(thrown);
      const own = problem.fields.find(({ field }) => field === 'name');
      this.complaint.set(own ? asSentence(own.problem) : problem.message);
      this.sending.set(false);
      this.document.getElementById('search-name')?.focus();
    }
  }
}
