import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { SavedSearchDto } from '../../shared/api/api-types';
import { loadPart } from '../../shared/loading/load-part';
import type { SearchToName } from './save-search-dialog';

/** Asks for the name of a search, and saves it. */
@Service()
export class SaveSearch {
  private readonly dialog = inject(Dialog);

  /** @param query of the viewer's address, without its question mark. @returns undefined where nothing was saved. */
  async save(query: string): Promise<SavedSearchDto | undefined> {
    return await this.open({ query, saved: null });
  }

  async rename(saved: SavedSearchDto): Promise<SavedSearchDto | undefined> {
    return await this.open({ query: saved.query, saved });
  }

  private async open(search: SearchToName): Promise<SavedSearchDto | undefined> {
    const { SaveSearchDialog } = await loadPart(() => import('./save-search-dialog'));
    const open = this.dialog.open<SavedSearchDto, SearchToName>(SaveSearchDialog, {
      data: search,
      ariaLabelledBy: 'search-title',
      autoFocus: '#search-name',
      width: '480px',
      panelClass: 'dialog-pane',
      backdropClass: 'veil',
    });
    return await firstValueFrom(open.closed);
  }
}
