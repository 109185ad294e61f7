import { Component, computed, DOCUMENT, effect, inject, resource, signal, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ApiProblem } from '../../shared/api/api-problem';
import type { SavedSearchDto } from '../../shared/api/api-types';
import { PageVisibility } from '../../shared/live/page-visibility';
import { Ago } from '../../shared/ui/ago';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { Toaster } from '../../shared/ui/toaster';
import { SaveSearch } from './save-search';
import { SavedSearchesApi } from './saved-searches-api';
import { searchParams, searchSummary } from './search-summary';

/** The saved searches, each with the way into the viewer. */
@Component({
  selector: 'sw-saved-searches-page',
  imports: [Ago, Icon, Notice, Placeholder, RouterLink, SkeletonRows],
  templateUrl: './saved-searches-page.html',
  styleUrl: './saved-searches-page.scss',
})
export class SavedSearchesPage {
  private readonly api = inject(SavedSearchesApi);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly names = inject(SaveSearch);
  private readonly document = inject(DOCUMENT);
  private readonly seen = inject(PageVisibility).visible;
  protected readonly searches = resource({ loader: () => this.api.list() });
  /** What is shown: the newest answer, and it stays while the next one is on its way or failed. */
  protected readonly rows = signal<readonly SavedSearchDto[] | null>(null);
  protected readonly problem = computed(() => {
    const error = this.searches.error();
    return error ? ApiProblem.of(error) : null;
  });
  protected readonly searchSummary = searchSummary;
  protected readonly searchParams = searchParams;

  constructor() {
    effect(() => {
      if (this.searches.hasValue()) this.rows.set(this.searches.value());
    });
    // Whoever comes back to this tab sees the searches of now.
    effect(() => {
      if (this.seen() && untracked(this.rows)) untracked(() => this.searches.reload());
    });
  }

  protected async rename(search: SavedSearchDto): Promise<void> {
    if (await this.names.rename(search)) this.searches.reload();
  }

  protected async remove({ id, name }: SavedSearchDto): Promise<void> {
    const sure = await this.confirm.ask({
      title: `Delete the search ${name}?`,
      text: ['The lines that it finds stay.'],
      action: 'Delete the search',
      danger: true,
    });
    if (!sure) return;
    try {
      await this.api.remove(id);
    } catch (thrown) {
      // Deleted meanwhile, in another window.
      if (ApiProblem.of(thrown).code !== 'saved_search_not_found') {
        this.toaster.problem(thrown, `${name} was not deleted.`);
        return;
      }
    }
    this.rows.update((rows) => rows?.filter((row) => row.id !== id) ?? null);
    this.toaster.done(`${name} was deleted.`);
    this.searches.reload();
    catchLostFocus(this.document);
  }
}
