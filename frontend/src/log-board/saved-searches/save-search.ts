import { inject, Service } from '@angular/core';
import type { SavedSearchDto } from '../../shared/api/api-types';
import { Dialogs } from '../../shared/ui/dialogs';
import type { SearchToSave } from './save-search-dialog';

@Service()
export class SaveSearch {
  private readonly dialogs = inject(Dialogs);

  /** @param search its query is that of the logs page, without the question mark. @returns undefined if canceled */
  async open(search: SearchToSave): Promise<SavedSearchDto | undefined> {
    return await this.dialogs.open<SavedSearchDto>(
      () => import('./save-search-dialog').then((file) => file.SaveSearchDialog),
      { data: search, width: '480px', panelClass: 'dialog-pane' },
    );
  }
}
