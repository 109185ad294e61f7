import { inject, Service } from '@angular/core';
import type { AlertDto, LogSourceDto } from '../../../shared/api/api-types';
import { copyText } from '../../../shared/ui/copy-text';
import { Dialogs } from '../../../shared/ui/dialogs';
import { Toaster } from '../../../shared/ui/toaster';
import { SaveSearch } from '../../saved-searches/save-search';
import type { LogQuery, SearchScope } from '../../../shared/search/log-query';
import type { SourceSelection } from '../../search-model/source-group';
import { ExportLines } from '../../../shared/search/export-lines';
import type { Download } from '../../../shared/search/export-lines';

/** The actions on the current search. */
@Service()
export class SearchActions {
  private readonly dialogs = inject(Dialogs);
  private readonly toaster = inject(Toaster);
  private readonly exports = inject(ExportLines);
  private readonly saveSearch = inject(SaveSearch);

  async copyLink(): Promise<void> {
    await this.toaster.attempt($localize`Could not copy`, async () => {
      await copyText(location.href);
      this.toaster.done($localize`Copied the link to this search.`);
    });
  }

  /** @param address query string of the page */
  async save(address: string): Promise<void> {
    const saved = await this.saveSearch.open({ query: address, saved: null });
    if (saved) this.toaster.done($localize`Saved ${saved.name}:name:.`);
  }

  async download(query: LogQuery, scope: SearchScope, download: Download): Promise<void> {
    await this.toaster.attempt($localize`Could not download`, () =>
      this.exports.save(query, scope, download),
    );
  }

  /** Opens the form of a new alert, filled with the search. */
  async createAlert(
    query: LogQuery,
    selection: SourceSelection,
    sources: readonly LogSourceDto[],
  ): Promise<void> {
    const { draftOfSearch } = await import('../../alerts/draft-of-search');
    const created = await this.dialogs.open<AlertDto>(
      () => import('../../alerts/alert-dialog').then((file) => file.AlertDialog),
      { data: draftOfSearch(query, selection, sources), width: '640px' },
    );
    if (created) this.toaster.done($localize`Created alert ${created.name}:name:.`);
  }

  async editHighlights(): Promise<void> {
    await this.dialogs.open(() => import('./highlight-dialog').then((file) => file.HighlightDialog), {
      width: '480px',
    });
  }
}
