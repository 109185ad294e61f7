import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import { ignore } from '../../shared/api/api-problem';
import type { SavedSearchDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { MayChange } from '../../shared/session/may-change';
import { Confirm } from '../../shared/ui/confirm';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { SaveSearch } from './save-search';
import { searchParams, searchSummary } from './search-summary';

@Component({
  selector: 'sw-saved-searches-page',
  imports: [UI, MayChange, RouterLink],
  templateUrl: './saved-searches-page.html',
})
export class SavedSearchesPage {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly saveSearch = inject(SaveSearch);
  protected readonly searches = apiResource('/api/saved-searches', undefined, { refresh: {} });
  protected readonly rows = this.searches.value;
  protected readonly searchSummary = searchSummary;
  protected readonly searchParams = searchParams;

  protected async rename(saved: SavedSearchDto): Promise<void> {
    if (await this.saveSearch.open({ query: saved.query, saved })) this.searches.reload();
  }

  protected async remove({ id, name }: SavedSearchDto): Promise<void> {
    const sure = await this.confirm.ask({
      title: $localize`Delete saved search ${name}:name:?`,
      text: [$localize`Log lines are not deleted.`],
      action: $localize`Delete`,
      danger: true,
    });
    if (!sure) return;
    await this.toaster.attempt($localize`Could not delete ${name}:name:.`, async () => {
      await this.api.send('DELETE /api/saved-searches/{id}', { id }).catch(ignore('saved_search_not_found'));
      this.searches.update((rows) => rows.filter((row) => row.id !== id));
      this.toaster.done($localize`Deleted ${name}:name:.`);
      this.searches.reload();
      catchLostFocus();
    });
  }
}
